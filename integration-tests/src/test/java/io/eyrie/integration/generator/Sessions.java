// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.generator;

import io.eyrie.testing.client.PrestoClient;

import java.util.List;
import java.util.Map;

/** Sessions that change plans and reads. A name that begins with a dot is a catalog property. */
public final class Sessions
{
    /** Stands for the session's time zone, in place of a property's name. */
    static final String ZONE = "@zone";
    /** Stands for the user, in place of a property's name. */
    static final String USER = "@user";

    /** The sessions, which are used in turn. */
    static final List<Map<String, String>> ALL = List.of(
            Map.of("prefer_partial_aggregation", "false", "use_mark_distinct", "false"),
            Map.of("join_distribution_type", "BROADCAST"),
            Map.of("join_distribution_type", "PARTITIONED", "join_reordering_strategy", "NONE"),
            Map.of(".max_split_size", "2kB", ".max_initial_split_size", "1kB"),
            Map.of(".orc_max_read_block_size", "8kB", ".parquet_max_read_block_size", "8kB", ".orc_tiny_stripe_threshold", "1kB"),
            Map.of(".parquet_use_column_names", "true"),
            Map.of(".parquet_batch_read_optimization_enabled", "true", ".use_column_index_filter", "true"),
            Map.of(".order_based_execution_enabled", "true", "streaming_for_partial_aggregation_enabled", "true"),
            Map.of("grouped_execution", "true", "colocated_join", "true"),
            Map.of("pushdown_subfields_enabled", "true", "pushdown_dereference_enabled", "true", ".parquet_dereference_pushdown_enabled", "true"),
            Map.of("optimize_metadata_queries", "true"),
            Map.of("legacy_timestamp", "false"),
            Map.of("optimize_hash_generation", "false", "optimize_common_sub_expressions", "false"),
            Map.of("task_concurrency", "1", "hash_partition_count", "1"),
            Map.of(".ignore_table_bucketing", "true"),
            Map.of(".partial_aggregation_pushdown_enabled", "true", ".partial_aggregation_pushdown_for_variable_length_datatypes_enabled", "true"),
            Map.of("partial_aggregation_strategy", "ALWAYS", "push_aggregation_through_join", "true"),
            Map.of("partial_aggregation_strategy", "NEVER", "optimize_mixed_distinct_aggregations", "true"),
            Map.of("execution_policy", "phased", "generate_domain_filters", "true"),
            Map.of(".orc_bloom_filters_enabled", "true", ".size_based_split_weights_enabled", "false"),
            Map.of(ZONE, "America/New_York"),
            Map.of(USER, "another"));

    /** Cache settings, none of which may change an answer. */
    static final List<Map<String, String>> CACHES = List.of(
            Map.of(".cache_enabled", "false"),
            Map.of(".fragment_result_cache_enabled", "false"),
            Map.of(".fragment_cache_mode", "READ_ONLY", ".data_cache_mode", "READ_ONLY"),
            Map.of(".fragment_cache_mode", "DRY_RUN", ".footer_cache_mode", "DRY_RUN"),
            Map.of(".fragment_result_cache_joined_admission", "NEVER"),
            Map.of(".fragment_result_cache_subsumption_enabled", "false"),
            Map.of(".data_cache_mode", "BYPASS"),
            Map.of(".footer_cache_mode", "BYPASS", ".metastore_cache_mode", "BYPASS"),
            Map.of(".file_list_cache_mode", "BYPASS"));

    private Sessions()
    {}

    /** Returns the client with the session. */
    public static PrestoClient of(PrestoClient client, String catalog, Map<String, String> session)
    {
        PrestoClient with = client;
        for (Map.Entry<String, String> property : session.entrySet()) {
            String name = property.getKey();
            with = switch (name) {
                case ZONE -> with.withTimeZone(property.getValue());
                case USER -> with.withUser(property.getValue());
                default -> with.withSession(name.startsWith(".") ? catalog + name : name, property.getValue());
            };
        }
        return with;
    }
}
