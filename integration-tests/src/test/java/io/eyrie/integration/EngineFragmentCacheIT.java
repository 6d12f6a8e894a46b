// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.presto.NodeMBeans;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;
import java.util.Locale;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the engine's own fragment cache over Eyrie's layouts, with Eyrie's fragment results disabled: no outdated answer for an overwritten file, and
 * hits for moving windows.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EngineFragmentCacheIT
{
    private static final String SCHEMA = "engine_fragments";

    private final Lake lake = SharedLakes.onS3proxy();

    @BeforeAll
    void createSchema()
    {
        client().execute("CREATE SCHEMA " + SCHEMA);
    }

    @Test
    void fileOverwrittenInPlaceWithTheSameLengthIsReadAnew()
    {
        lake.createTable(SCHEMA, "overwritten", "x varchar", "format = 'TEXTFILE'");
        for (String word : List.of("first", "secon", "third")) {
            lake.s3().client().put(Lake.BUCKET, SCHEMA + "/overwritten/file", word.getBytes(UTF_8));
            assertThat(client().execute("SELECT max(x), count(*) FROM overwritten").rows()).containsExactly(List.of(word, 1L));
            assertThat(client().execute("SELECT max(x), count(*) FROM overwritten").rows()).containsExactly(List.of(word, 1L));
        }
    }

    @Test
    void windowOfPartitionsThatMovesComputesWhatIsNew()
    {
        lake.createTable(SCHEMA, "days", "v bigint, ds varchar", "format = 'ORC', partitioned_by = ARRAY['ds']");
        client().withSession("task_writer_count", "1")
                .execute("INSERT INTO days SELECT x, concat('2021-01-0', cast(x % 9 + 1 AS varchar)) FROM UNNEST(sequence(1, 900)) AS t(x)");
        String window = "SELECT count(*), sum(v) FROM days WHERE ds BETWEEN '2021-01-0%d' AND '2021-01-0%d'";
        client().execute(String.format(Locale.ROOT, window, 1, 6));
        double before = hits();
        String moved = String.format(Locale.ROOT, window, 2, 7);
        QueryResult result = client().execute(moved);
        assertThat(hits() - before).isEqualTo(5);
        Rows.assertSameRows(result, client().withSession("fragment_result_caching_enabled", "false").execute(moved));
    }

    private double hits()
    {
        NodeMBeans node = lake.presto().workerMBeans(0);
        return node.number("com.facebook.presto.operator:name=FragmentCacheStats", "CacheHit");
    }

    private PrestoClient client()
    {
        return lake.client(SCHEMA).withSession("fragment_result_caching_enabled", "true");
    }
}
