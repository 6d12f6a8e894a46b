// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.docs;

import io.eyrie.testing.client.PrestoClient;

import java.util.List;

/** The tables that the examples of the documentation name, in a catalog {@code hive} with a metastore: {@code web.clicks}, {@code web.users}, {@code raw.events}. */
public final class ExampleTables
{
    private static final List<String> STATEMENTS = List.of(
            "CREATE SCHEMA hive.web",
            "CREATE SCHEMA hive.raw",
            """
                    CREATE TABLE hive.web.clicks WITH (partitioned_by = ARRAY['ds']) AS
                    SELECT o_orderkey AS click_id, o_custkey AS user_id, o_clerk AS page, o_totalprice AS price,
                        '2026-11-0' || CAST(1 + o_orderkey % 7 AS varchar) AS ds
                    FROM tpch.tiny.orders""",
            "CREATE TABLE hive.web.users AS SELECT c_custkey AS user_id, c_name AS name, c_mktsegment AS segment FROM tpch.tiny.customer",
            "CREATE TABLE hive.raw.events AS SELECT o_orderkey AS event_id, o_comment AS message FROM tpch.tiny.orders");

    private ExampleTables()
    {}

    /** Creates the tables. */
    public static void create(PrestoClient client)
    {
        STATEMENTS.forEach(client.withSession("task_writer_count", "1")::execute);
    }
}
