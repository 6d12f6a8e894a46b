// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.benchmarks.peers.PeerLake;
import io.eyrie.benchmarks.peers.Variant;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkShape;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

import static io.eyrie.benchmarks.report.Findings.OURS;

/** FlashBlade's article: counts and averages over a text table of Wikipedia's page counts, and over its copy in Presto's memory connector. */
final class PagecountsExperiment
        implements Experiment
{
    /*
     * Rows      Generated from a seed, in the shape of the original: one of a few codes, a title, a count and a size of many digits. The files have
     *           the same content and different names.
     * Scan      The same count with fragment results disabled: the time of reading from the SSD. The throughput is the bytes of the table divided by
     *           that time.
     */
    private static final int REPEATS = 5;
    private static final int QUICK_REPEATS = 2;
    // planning and scheduling take all of the time of a query from cached results, and need this many runs to be compiled
    private static final int WARMUPS = 15;
    private static final int SCAN_WARMUPS = 1;
    private static final int FILES = 16;
    private static final int QUICK_FILES = 4;
    static final int FILE_BYTES = 64 << 20;
    private static final long SEED = 1;
    private static final double BAR = 10;
    private static final double BAR_MEMORY = 1;
    private static final String SCHEMA = "wiki";
    private static final String EMPTY = "wiki_empty";
    private static final String MEMORY = "memory";
    private static final List<String> CODES = List.of("en", "de", "fr", "ja", "en.m", "commons.m", "es", "ru", "zh", "it");
    static final String COLUMNS = "code varchar, title varchar, count bigint, pgsz bigint";
    private static final String COUNT = "SELECT COUNT(*) FROM pagecounts";

    @Override
    public String name()
    {
        return "pagecounts";
    }

    @Override
    public String question()
    {
        return "FlashBlade: COUNT(*) and AVG(pgsz) over 1 GiB of page counts as text in 16 files (quick: 4), far, with one, two and four workers on this machine. memory: the table's copy in Presto's "
                + "memory connector. count-scan: COUNT(*) with fragment results off, so that every byte is read from the SSD cache; throughput is the table's bytes over its time.";
    }

    @Override
    public List<String> cells(boolean quick)
    {
        return quick ? List.of("workers-1") : List.of("workers-1", "workers-2", "workers-4");
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public void measure(String cell, Setup setup, Findings findings)
    {
        int workers = Integer.parseInt(cell.substring(cell.indexOf('-') + 1));
        int files = setup.quick() ? QUICK_FILES : FILES;
        try (Lake lake = PeerLake.builder(setup.checkout(), "report-" + name(), setup.progress())
                .workers(workers)
                // all workers together have as much as one has elsewhere
                .workerHeapMegabytes(PeerLake.WORKER_HEAP_MEGABYTES / workers)
                .plugin(MEMORY, setup.checkout().memoryPlugin())
                .plainCatalog(MEMORY, Map.of("connector.name", MEMORY, "memory.max-data-per-node", "2GB"))
                .start()) {
            createTable(lake, files);
            // on all workers: a single one may not have enough memory
            lake.presto().client(MEMORY, "default").withSession("scale_writers", "false").execute("CREATE TABLE pagecounts AS SELECT * FROM "
                    + Lake.CATALOG + "." + SCHEMA
                    + ".pagecounts");
            lake.link().reshape(LinkShape.FAR);
            Turns turns = new Turns(findings, WARMUPS, setup.repeats());
            measure(lake, cell + "-count", COUNT, turns, findings);
            measure(lake, cell + "-avg", "SELECT AVG(pgsz) FROM pagecounts", turns, findings);
            scan(lake, cell + "-count-scan", (double) files * FILE_BYTES, new Turns(findings, SCAN_WARMUPS, setup.repeats()), findings);
        }
    }

    private static void createTable(Lake lake, int files)
    {
        for (String schema : List.of(SCHEMA, EMPTY)) {
            lake.client(schema).execute("CREATE SCHEMA " + Lake.CATALOG + "." + schema);
            lake.createTable(schema, "pagecounts", COLUMNS, "format = 'TEXTFILE'");
        }
        byte[] file = rows(FILE_BYTES);
        for (int i = 0; i < files; i++) {
            lake.s3().client().put(Lake.BUCKET, String.format(Locale.ROOT, "%s/pagecounts/part-%03d", SCHEMA, i), file);
        }
    }

    /** Returns rows of {@code bytes} bytes in all; the last title fills the rest. */
    static byte[] rows(int bytes)
    {
        Random random = new Random(SEED);
        StringBuilder text = new StringBuilder(bytes);
        while (text.length() < bytes - 200) {
            String title = Long.toString(random.nextLong() & Long.MAX_VALUE, 36);
            row(text, CODES.get(random.nextInt(CODES.size())), "Page_" + title.substring(0, Math.min(title.length(), 4 + random.nextInt(9))), random);
        }
        text.append("en\u0001").append("x".repeat(bytes - text.length() - "\u00011\u00011\n".length())).append("\u00011\u00011\n");
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static void row(StringBuilder text, String code, String title, Random random)
    {
        text.append(code)
                .append('\u0001')
                .append(title)
                .append('\u0001')
                .append(1 + random.nextInt(1 + random.nextInt(500)))
                .append('\u0001')
                .append(1000 + random.nextInt(10_000_000))
                .append('\n');
    }

    private static void measure(Lake lake, String row, String sql, Turns turns, Findings findings)
    {
        Map<String, PrestoClient> clients = clients(lake);
        clients.put(MEMORY, lake.presto().client(MEMORY, "default"));
        turns.measure(row, sql, clients);
        findings.compare(row, "warm-time", "vanilla", BAR);
        findings.compare(row, "warm-time", MEMORY, BAR_MEMORY);
        findings.compare(row, "warm-time", "raptorx", null);
        findings.compare(row, "warm-time", Variant.FLOOR.peerName(), null);
    }

    private static void scan(Lake lake, String row, double bytes, Turns turns, Findings findings)
    {
        Map<String, PrestoClient> clients = clients(lake);
        clients.put(OURS, PeerLake.client(lake, Variant.OURS, SCHEMA).withSession(Lake.CATALOG + ".fragment_result_cache_enabled", "false"));
        clients.put("raptorx", PeerLake.client(lake, Variant.RAPTORX, SCHEMA).withSession("fragment_result_caching_enabled", "false"));
        turns.measure(row, COUNT, clients);
        findings.compare(row, "warm-time", "raptorx", null);
        double seconds = findings.compare(row, "warm-time", "vanilla", null).ours();
        findings.note(String.format(Locale.ROOT, "%s: %.0f MB/s from the SSD cache", row, bytes / seconds / 1e6));
    }

    private static Map<String, PrestoClient> clients(Lake lake)
    {
        Map<String, PrestoClient> clients = new LinkedHashMap<>();
        for (Variant variant : List.of(Variant.OURS, Variant.RAPTORX, Variant.VANILLA)) {
            clients.put(variant.peerName(), PeerLake.client(lake, variant, SCHEMA));
        }
        clients.put(Variant.FLOOR.peerName(), PeerLake.client(lake, Variant.FLOOR, EMPTY));
        return clients;
    }
}
