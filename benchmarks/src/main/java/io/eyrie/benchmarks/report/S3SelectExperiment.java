// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import com.teradata.tpcds.Table;
import io.eyrie.benchmarks.bench.BenchResult;
import io.eyrie.benchmarks.bench.BenchResult.Question;
import io.eyrie.benchmarks.peers.PeerLake;
import io.eyrie.benchmarks.peers.Variant;
import io.eyrie.benchmarks.replay.TpcdsTables;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.client.Rows;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.lake.LakeBuilder;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.LinkCounts.Count;
import io.eyrie.testing.link.LinkShape;
import io.eyrie.testing.s3.MinioServer;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Ceph's and Trino's article: selection in the store, on MinIO, compared with the cache and combined with it. */
final class S3SelectExperiment
        implements Experiment
{
    /*
     * First      Each repeat has its own tables, because Eyrie selects only from files that it reads for the first time, and all of Eyrie's entries
     *            are invalidated before. The third and the fourth run count as repeated.
     * Stock      Failures of stock's pushdown are noted, and the variant is left out: it sends numbers as a CASE that MinIO refuses, after half a
     *            minute of retries.
     */
    private static final double SCALE = 0.2;
    private static final double QUICK_SCALE = 0.05;
    private static final int REPEATS = 3;
    private static final int QUICK_REPEATS = 1;
    private static final int RUNS = 4;
    private static final int KEPT_FROM = 3;
    private static final String SCHEMA = "selected";
    private static final String VANILLA_SELECT = "vanilla-select";
    private static final String STATED = "\"field.delim\" : \"|\", \"line.delim\" : \"\\n\"";
    // a file of either table is one split, because stock cannot select in a part of an uncompressed file
    private static final Map<String, String> SELECTING = Map.of(
            "hive.s3select-pushdown.enabled", "true",
            "hive.max-initial-split-size", "128MB",
            "hive.max-split-size", "128MB");
    private static final Map<String, String> QUERIES = Map.of(
            "count-code", "SELECT count(*), sum(count) FROM pagecounts_%s WHERE code = 'ja'",
            "large-pages", "SELECT count(*), sum(pgsz) FROM pagecounts_%s WHERE pgsz > 9950000",
            "customer", "SELECT ss_item_sk, ss_quantity, ss_sales_price FROM store_sales_%s WHERE ss_customer_sk = 1000");

    @Override
    public String name()
    {
        return "s3-select";
    }

    @Override
    public String question()
    {
        return "Ceph and Trino: page counts and TPC-DS's store_sales as uncompressed text on MinIO, far; S3 Select on and off, with Eyrie (ours, ours-plain) and with Presto's own connector (vanilla-select, "
                + "vanilla). first: nothing is cached; repeated: the third and fourth time. s3-bytes and s3-requests: the traffic on the link.";
    }

    @Override
    public List<String> cells(boolean quick)
    {
        return List.of("minio");
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public void measure(String cell, Setup setup, Findings findings)
    {
        LakeBuilder builder = PeerLake.builder(setup.checkout(), "report-" + name(), setup.progress()).fileMetastore().server(MinioServer::start);
        SELECTING.forEach(builder::property);
        try (Lake lake = builder.catalog(Variant.VANILLA.catalog(), PeerLake.vanilla(SELECTING)).start()) {
            lake.client(SCHEMA).execute("CREATE SCHEMA " + Lake.CATALOG + "." + SCHEMA);
            for (int repeat = 0; repeat < setup.repeats(); repeat++) {
                createTables(lake, setup.quick() ? QUICK_SCALE : SCALE, "_" + repeat);
            }
            lake.link().reshape(LinkShape.FAR);
            for (String query : new TreeSet<>(QUERIES.keySet())) {
                measure(lake, query, setup.repeats(), findings);
            }
        }
    }

    private static void createTables(Lake lake, double scale, String suffix)
    {
        TpcdsTables.createText(lake, SCHEMA, "store_sales" + suffix, Table.STORE_SALES, scale, "|");
        lake.createTable(SCHEMA, "pagecounts" + suffix, PagecountsExperiment.COLUMNS, "format = 'TEXTFILE'");
        String rows = new String(PagecountsExperiment.rows(PagecountsExperiment.FILE_BYTES), StandardCharsets.US_ASCII).replace('\u0001', '|');
        lake.s3().client().put(Lake.BUCKET, SCHEMA + "/pagecounts" + suffix + "/part-0", rows.getBytes(StandardCharsets.US_ASCII));
        for (String table : List.of("store_sales", "pagecounts")) {
            lake.setSerdeParameters(SCHEMA, table + suffix, STATED);
        }
    }

    private static void measure(Lake lake, String query, int repeats, Findings findings)
    {
        Map<String, PrestoClient> clients = new LinkedHashMap<>();
        clients.put("vanilla", plain(PeerLake.client(lake, Variant.VANILLA, SCHEMA), Variant.VANILLA));
        clients.put(VANILLA_SELECT, PeerLake.client(lake, Variant.VANILLA, SCHEMA));
        clients.put("ours-plain", plain(PeerLake.client(lake, Variant.OURS, SCHEMA), Variant.OURS));
        clients.put(Findings.OURS, PeerLake.client(lake, Variant.OURS, SCHEMA));
        for (int repeat = 0; repeat < repeats; repeat++) {
            String sql = String.format(Locale.ROOT, QUERIES.getOrDefault(query, ""), repeat);
            QueryResult expected = plain(PeerLake.client(lake, Variant.VANILLA, SCHEMA), Variant.VANILLA).execute(sql);
            for (Map.Entry<String, PrestoClient> client : List.copyOf(clients.entrySet())) {
                lake.client(SCHEMA).execute("CALL system.invalidate_cache()");
                QueryParameters asking = new QueryParameters(lake, client.getKey(), client.getValue(), sql, expected, findings);
                boolean right = asking.counted(query + "-first");
                for (int run = 2; right && run <= RUNS; run++) {
                    right = run < KEPT_FROM ? asking.uncounted() : asking.counted(query + "-repeated");
                }
                if (!right) {
                    clients.remove(client.getKey());
                }
            }
        }
        for (String part : List.of("-first", "-repeated")) {
            for (String peer : clients.keySet()) {
                if (!peer.equals(Findings.OURS)) {
                    findings.compare(query + part, "warm-time", peer, null);
                    if (part.equals("-first")) {
                        findings.compare(query + part, "s3-bytes", peer, null);
                    }
                }
            }
        }
        List<Double> requests = findings.samples(query + "-repeated", "s3-requests").of(Findings.OURS);
        Question question = new Question(query + "-repeated", "s3-requests", "1", "ideal");
        findings.add(BenchResult.cost(question, requests, Collections.nCopies(requests.size(), 1.0), null).withBarOfOurs(0.0, false));
    }

    private record QueryParameters(Lake lake, String variant, PrestoClient client, String sql, QueryResult expected, Findings findings)
    {
        boolean uncounted()
        {
            Rows.assertSameRows(client.execute(sql), expected);
            return true;
        }

        /* Returns false if stock's pushdown fails or returns wrong rows. */
        boolean counted(String row)
        {
            LinkCounts before = lake.quietCounts();
            try {
                QueryResult result = client.execute(sql);
                LinkCounts passed = lake.quietCounts().minus(before);
                if (variant.equals(VANILLA_SELECT) && !result.checksum().equals(expected.checksum())) {
                    findings.note(row + ": vanilla-select returned different rows");
                    return false;
                }
                Rows.assertSameRows(result, expected);
                findings.time(row, "warm-time", variant, result, client);
                findings.add(row, "s3-bytes", "B", variant, (double) passed.byKind().values().stream().mapToLong(Count::responseBytes).sum());
                findings.add(row, "s3-requests", "1", variant, (double) passed.requests());
                return true;
            }
            catch (QueryFailedException e) {
                if (!variant.equals(VANILLA_SELECT)) {
                    throw e;
                }
                findings.note(row + ": vanilla-select failed: " + e.getMessage());
                return false;
            }
        }
    }

    private static PrestoClient plain(PrestoClient client, Variant variant)
    {
        return client.withSession(variant.catalog() + ".s3_select_pushdown_enabled", "false");
    }
}
