// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import com.teradata.tpcds.Table;
import io.eyrie.benchmarks.peers.PeerLake;
import io.eyrie.benchmarks.peers.Variant;
import io.eyrie.benchmarks.replay.TpcdsTables;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkShape;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Qubole's article: an analyst's three queries on TPC-DS, on text without a cache and on ORC with one. */
final class AnalystExperiment
        implements Experiment
{
    private static final double SCALE = 1;
    private static final double QUICK_SCALE = 0.1;
    private static final int REPEATS = 5;
    private static final int QUICK_REPEATS = 2;
    private static final int WARMUPS = 8;
    private static final double BAR = 10;
    private static final String TEXT = "analyst_text";
    private static final String ORC = "analyst_orc";
    private static final String EMPTY = "analyst_empty";
    private static final String VANILLA_TEXT = "vanilla-text";
    private static final List<String> QUERIES = List.of(
            "select * from store_sales where ss_customer_sk=1000",
            "select ss_store_sk, sum(ss_quantity) as cnt from store_sales group by ss_store_sk order by cnt desc limit 5",
            "select sum(ss_quantity) as cnt from store_sales ss join customer c on (ss.ss_customer_sk = c.c_customer_sk) where c.c_birth_year < 1980");

    @Override
    public String name()
    {
        return "analyst";
    }

    @Override
    public String question()
    {
        return "Qubole: the article's three queries on TPC-DS's store_sales and customer at scale 1 (quick: 0.1): ours reads ORC (zlib). The other variants are text without caches (vanilla-text), text with Eyrie, "
                + "ORC without caches (vanilla-orc), and ORC with all of Presto's caches (raptorx).";
    }

    @Override
    public List<String> cells(boolean quick)
    {
        return quick ? List.of("far") : List.of("far", "near");
    }

    @Override
    public int repeats(boolean quick)
    {
        return quick ? QUICK_REPEATS : REPEATS;
    }

    @Override
    public void measure(String cell, Setup setup, Findings findings)
    {
        try (Lake lake = PeerLake.builder(setup.checkout(), "report-" + name(), setup.progress()).start()) {
            createTables(lake, setup.quick() ? QUICK_SCALE : SCALE);
            lake.link().reshape(cell.equals("far") ? LinkShape.FAR : LinkShape.STANDARD);
            Map<String, PrestoClient> clients = new LinkedHashMap<>();
            clients.put(VANILLA_TEXT, PeerLake.client(lake, Variant.VANILLA, TEXT));
            clients.put("vanilla-orc", PeerLake.client(lake, Variant.VANILLA, ORC));
            clients.put("raptorx", PeerLake.client(lake, Variant.RAPTORX, ORC));
            clients.put("ours-text", PeerLake.client(lake, Variant.OURS, TEXT));
            clients.put(Findings.OURS, PeerLake.client(lake, Variant.OURS, ORC));
            clients.put(Variant.FLOOR.peerName(), PeerLake.client(lake, Variant.FLOOR, EMPTY));
            for (int query = 1; query <= QUERIES.size(); query++) {
                String row = cell + "-q" + query;
                new Turns(findings, WARMUPS, setup.repeats()).measure(row, QUERIES.get(query - 1), clients);
                findings.compare(row, "warm-time", VANILLA_TEXT, BAR);
                for (String peer : List.of("vanilla-orc", "raptorx", "ours-text", Variant.FLOOR.peerName())) {
                    findings.compare(row, "warm-time", peer, null);
                }
            }
        }
    }

    private static void createTables(Lake lake, double scale)
    {
        for (String schema : List.of(TEXT, ORC, EMPTY)) {
            lake.client(schema).execute("CREATE SCHEMA " + Lake.CATALOG + "." + schema);
        }
        for (Table table : List.of(Table.STORE_SALES, Table.CUSTOMER)) {
            TpcdsTables.createText(lake, TEXT, table.getName(), table, scale, TpcdsTables.SEPARATOR);
            for (String schema : List.of(ORC, EMPTY)) {
                lake.createTable(schema, table.getName(), TpcdsTables.columns(table), "format = 'ORC'");
            }
            lake.uncachedClient(ORC).execute("INSERT INTO " + table.getName() + " SELECT * FROM " + TEXT + "." + table.getName());
        }
    }
}
