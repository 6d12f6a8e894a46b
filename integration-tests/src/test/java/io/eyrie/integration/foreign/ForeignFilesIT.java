// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.foreign;

import io.eyrie.integration.BesideStock;
import io.eyrie.integration.Clients;
import io.eyrie.integration.generator.Answer;
import io.eyrie.integration.generator.Sessions;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.s3.S3Server;
import org.apache.hadoop.hive.metastore.api.ThriftHiveMetastore;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static io.eyrie.integration.BesideStock.STOCK;
import static io.eyrie.testing.lake.Lake.CATALOG;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The files of the corpus, by other writers than Presto, are read by Eyrie as by Presto's own Hive connector, errors included: cold, and after a restart, when its results are on the disk. Every layer of
 * Eyrie is on. Each ORC and Parquet file has predicates on each of its columns that its footer can decide, before and after the coordinator has read the footer; in the short form, every second table.
 *
 * <p>The short form leaves five sixths of the files of the formats' repositories and half of the tables of one file out, and asks some of the queries of each table. The long
 * form ({@code -Deyrie.stress=true}) asks all of them, some also of each file by itself, and also warm before the restart. {@code -Deyrie.part=2/4} takes the second
 * of four parts of the tables, because the long form takes hours.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForeignFilesIT
{
    /*
     * Tables      Files of one format, the same columns and the same parameters of the serde are partitions of one table, each in a prefix of its own. Stock reads each file
     *             first: files that it refuses are asked for by themselves, the others together, so that each query reads all of them.
     * Values      Predicates are of texts that stock read; files with the same texts share them.
     */
    private static final boolean STRESS = Boolean.getBoolean("eyrie.stress");
    private static final String PART = System.getProperty("eyrie.part", "1/1");
    private static final int CLIENTS = 4;
    private static final int SAME_COUNTS = 20;
    private static final String MBEAN = "io.eyrie:type=FragmentCache,name=" + CATALOG;
    /** Of a table of several ORC or Parquet files, of one file, and of several files of other formats, beside those that read whole files. */
    private static final int MOST_QUERIES = STRESS ? Integer.MAX_VALUE : 2;
    private static final int MOST_QUERIES_OF_ONE_FILE = STRESS ? Integer.MAX_VALUE : 1;
    private static final int MOST_QUERIES_OF_OTHER_FORMATS = STRESS ? Integer.MAX_VALUE : 1;
    /** In the long form, beside those of its table: all of them would be more than a hundred thousand queries, and each file is a split of its own in every query. */
    private static final int MOST_QUERIES_OF_A_FILE_BY_ITSELF = 3;

    private final Clients clients = new Clients(CLIENTS);
    private final AtomicLong executions = new AtomicLong();
    private final Collection<String> differences = new ConcurrentLinkedQueue<>();
    private final Map<String, List<CorpusColumn>> columns = new ConcurrentHashMap<>();
    private final Set<String> onlyStockFails = ConcurrentHashMap.newKeySet();
    private final Collection<String> noQueries = new ConcurrentLinkedQueue<>();
    private final Map<String, String> refused = new ConcurrentHashMap<>();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong excluded = new AtomicLong();
    /** Presto's. */
    private final Map<CorpusQuery, Answer> answers = new ConcurrentHashMap<>();
    private final Map<DecidedQuery, Answer> decidedAnswers = new ConcurrentHashMap<>();
    private S3Server s3;
    private HiveMetastoreServer metastore;
    private Lake lake;

    private record Table(String name, List<CorpusFile> files)
    {
        List<CorpusColumn> columns()
        {
            return files.get(0).columns();
        }

        Map<String, String> serde()
        {
            return files.get(0).serde();
        }

        int mostQueries()
        {
            if (files.size() == 1) {
                return MOST_QUERIES_OF_ONE_FILE;
            }
            return files.get(0).isOrcOrParquet() ? MOST_QUERIES : MOST_QUERIES_OF_OTHER_FORMATS;
        }

        List<CorpusColumn> scalars()
        {
            return columns().stream().filter(CorpusColumn::isScalar).toList();
        }
    }

    /**
     * What stock makes of a file.
     *
     * @param error of all of its rows; empty if there is none
     * @param columns scalar ones that can be read
     * @param texts of these, sorted rows
     */
    private record Probe(String error, List<CorpusColumn> columns, List<List<@Nullable String>> texts)
    {}

    /** A query, and what stock answers. */
    private record ExpectedAnswer(CorpusQuery query, Answer expected)
    {}

    @BeforeAll
    void start()
    {
        Checkout checkout = Checkout.find();
        s3 = EmbeddedS3Server.inMemory();
        metastore = BesideStock.metastore(checkout, s3, Path.of("target/foreign-metastore.log"));
        lake = BesideStock.lake(checkout, "foreign", s3, metastore, Map.of())
                .property("hive.file-status-cache-tables", "*")
                .property("hive.file-status-cache-expire-time", "24h")
                .property("cache.file-statistics", "on")
                .start();
    }

    @AfterAll
    void stop()
    {
        clients.close();
        lake.close();
        metastore.close();
    }

    @Test
    void filesOfOtherWritersAreReadAsByPresto()
            throws IOException
    {
        List<Table> tables = tables(CorpusFile.all().stream().filter(file -> STRESS || file.isOfShortForm()).toList());
        List<CorpusFile> files = tables.stream().flatMap(table -> table.files.stream()).toList();
        // alone: of two first events at a time the metastore makes two first numbers, and refuses what follows
        create(tables.get(0));
        clients.each(tables.subList(1, tables.size()), this::create);
        Map<CorpusFile, Probe> probes = new ConcurrentHashMap<>();
        clients.each(tables, table -> probe(table, probes));
        List<CorpusQuery> queries = tables.stream().flatMap(table -> queries(table, probes).stream()).toList();
        System.out.println("ForeignFilesIT: " + queries.size() + " queries of " + tables.size() + " tables");
        Collection<ExpectedAnswer> asked = new ConcurrentLinkedQueue<>();
        clients.each(queries, query -> asked.addAll(ask(query)));
        clients.each(asked, query -> check(query, "cold"));
        // what fails is not kept
        List<ExpectedAnswer> again = asked.stream().filter(query -> STRESS || !query.expected.isError()).toList();
        if (STRESS) {
            clients.each(again, query -> check(query, "warm"));
        }
        Collection<DecidedQuery> decided = new ConcurrentLinkedQueue<>();
        List<Table> columnar = tables.stream().filter(table -> table.files.get(0).isOrcOrParquet()).toList();
        clients.each(IntStream.range(0, columnar.size()).filter(place -> STRESS || place % 2 == 0).mapToObj(columnar::get).toList(),
                table -> decided(table, probes).forEach(query -> addAnswered(query, decided)));
        clients.each(decided, query -> checkDecided(query, "statistics unknown", Map.of()));
        awaitStatistics();
        clients.each(decided, this::checkPruned);
        lake.presto().restart();
        clients.each(again, query -> check(query, "after a restart"));
        double hits = lake.presto().coordinatorMBeans().number(MBEAN, "Hits");
        clients.each(decided, query -> checkDecided(query, "pruned, after a restart", Map.of()));
        assertThat(fileStatistics("StoredFilesFound")).as("files whose statistics survived").isPositive();

        System.out.println(String.format(Locale.ROOT,
                "ForeignFilesIT: %s files by %s writers in %s tables, %s refused by Presto; %s queries, %s of them with equal errors, run %s times;"
                        + " %.0f leaves served after the restart; %s differences",
                files.size(), files.stream().map(CorpusFile::writer).distinct().count(), tables.size(), refused.size(), asked.size(), asked.stream()
                        .filter(query -> query.expected.isError()).count(), executions, hits, differences.size()));
        System.out.println(String.format(Locale.ROOT,
                "ForeignFilesIT: %s queries that statistics decide; the coordinator dropped %s splits, workers excluded"
                        + " %s beside them", decided.size(), dropped, excluded));
        onlyStockFails.forEach(query -> System.out.println(
                "  answered as by Presto with a condition that its readers do not know, with which they fail: " + query));
        new TreeMap<>(refused).forEach((file, error) -> System.out.println("  refused: " + file + ": " + error));
        assertThat(differences).as("differences").isEmpty();
        assertThat(noQueries).as("not analyzed").isEmpty();
        assertThat(hits).as("leaves served").isGreaterThan(again.size() / 4.0);
        assertThat(dropped.get()).as("splits that were dropped, and those that only workers excluded").isGreaterThan(10 * excluded.get());
        assertThat(refused).hasSizeLessThan(files.size() / 2);
    }

    private static List<Table> tables(List<CorpusFile> files)
    {
        Map<List<Object>, List<CorpusFile>> alike = new LinkedHashMap<>();
        files.forEach(file -> alike.computeIfAbsent(List.of(file.format(), file.columns(), file.serde()), kind -> new ArrayList<>()).add(file));
        List<Table> tables = new ArrayList<>();
        int alone = 0;
        for (List<CorpusFile> some : alike.values()) {
            if (STRESS || some.size() > 1 || alone++ % 2 == 0) {
                tables.add(new Table(String.format(Locale.ROOT, "corpus_%03d", tables.size()), some));
            }
        }
        int slash = PART.indexOf('/');
        int parts = Integer.parseInt(PART.substring(slash + 1));
        int part = Integer.parseInt(PART.substring(0, slash)) - 1;
        return IntStream.range(0, tables.size()).filter(i -> i % parts == part).mapToObj(tables::get).toList();
    }

    private void create(Table table)
    {
        columns.put(table.name, table.columns());
        String location = "s3a://" + Lake.BUCKET + "/corpus/" + table.name;
        for (CorpusFile file : table.files) {
            String key = "corpus/" + table.name + "/file=" + file.partition() + "/" + file.partition();
            try {
                s3.client().put(Lake.BUCKET, key, file.content());
            }
            catch (IOException e) {
                throw new IllegalStateException("No file of the manifest: " + file, e);
            }
        }
        PrestoClient stock = lake.presto().client(STOCK, "default");
        stock.execute("CREATE TABLE " + table.name + " (" + table.columns().stream().map(CorpusColumn::toString).collect(Collectors.joining(", "))
                + ", file varchar) WITH (format = '"
                + table.files.get(0).format() + "', partitioned_by = ARRAY['file'], external_location = '" + location + "')");
        if (!table.serde().isEmpty()) {
            setParametersOfSerde(table);
        }
        stock.execute("CALL system.sync_partition_metadata('default', '" + table.name + "', 'ADD')");
    }

    /* Presto's table properties lack most of them. */
    private void setParametersOfSerde(Table table)
    {
        try (TSocket socket = new TSocket(metastore.uri().getHost(), metastore.uri().getPort())) {
            socket.open();
            ThriftHiveMetastore.Client client = new ThriftHiveMetastore.Client(new TBinaryProtocol(socket));
            var changed = client.get_table("default", table.name);
            changed.getSd().getSerdeInfo().setParameters(table.serde());
            client.alter_table("default", table.name, changed);
        }
        catch (TException e) {
            throw new IllegalStateException("The metastore does not change " + table, e);
        }
    }

    private void probe(Table table, Map<CorpusFile, Probe> probes)
    {
        List<CorpusFile> read = table.files.stream().filter(file -> !file.isRefused()).toList();
        if (!read.isEmpty()) {
            probe(table, read, probes);
        }
        table.files.stream().filter(CorpusFile::isRefused).forEach(file -> probe(table, List.of(file), probes));
    }

    /* Of many files at a time, by halves until none of them fails. */
    private void probe(Table table, List<CorpusFile> files, Map<CorpusFile, Probe> probes)
    {
        List<String> partitions = files.stream().map(CorpusFile::partition).toList();
        String error = expected(CorpusQuery.rows(table.name, partitions, table.columns())).error().lines().findFirst().orElse("");
        if (!error.isEmpty() && files.size() > 1) {
            probe(table, files.subList(0, files.size() / 2), probes);
            probe(table, files.subList(files.size() / 2, files.size()), probes);
            return;
        }
        List<CorpusColumn> columns = table.scalars();
        if (!error.isEmpty()) {
            columns = columns.stream().filter(column -> STRESS && !expected(CorpusQuery.rows(table.name, partitions, List.of(column))).isError())
                    .toList();
        }
        Map<String, List<List<@Nullable String>>> texts = columns.isEmpty() || !isAskedForValues(table)
                ? Map.of()
                : texts(table.name, partitions, columns);
        for (CorpusFile file : files) {
            probes.put(file, new Probe(error, columns, texts.getOrDefault(file.partition(), List.of())));
        }
    }

    private static boolean isAskedForValues(Table table)
    {
        return STRESS || table.files.size() > 1;
    }

    private List<CorpusQuery> queries(Table table, Map<CorpusFile, Probe> probes)
    {
        List<CorpusQuery> queries = new ArrayList<>();
        List<String> read = new ArrayList<>();
        Map<List<List<@Nullable String>>, List<String>> alike = new LinkedHashMap<>();
        for (CorpusFile file : table.files) {
            String partition = file.partition();
            Probe probe = requireNonNull(probes.get(file), "no probe");
            if (probe.error.isEmpty()) {
                read.add(partition);
                alike.computeIfAbsent(probe.texts, texts -> new ArrayList<>()).add(partition);
            }
            else {
                refused.put(file.path(), probe.error.replaceAll("[(]#\\w+[)]|s3a:\\S+", ""));
                if (STRESS) {
                    queries.addAll(ofFile(table, partition, probe.columns, probe.texts, 0));
                    table.columns().forEach(column -> queries.add(CorpusQuery.rows(table.name, List.of(partition), List.of(column))));
                }
                else {
                    queries.add(CorpusQuery.rows(table.name, List.of(partition), table.columns()));
                }
            }
        }
        if (!read.isEmpty()) {
            queries.addAll(CorpusQuery.ofColumns(table.name, read, table.columns()));
            int turn = 0;
            for (Map.Entry<List<List<@Nullable String>>, List<String>> values : alike.entrySet()) {
                queries.addAll(CorpusQuery.ofValues(table.name, read, table.scalars(), values.getKey(), turn, turn == 0 && isAskedForValues(table)));
                for (int i = 0; STRESS && i < values.getValue().size(); i++) {
                    queries.addAll(ofFile(table, values.getValue().get(i), table.scalars(), values.getKey(), i));
                }
                turn++;
            }
        }
        return some(queries, table.mostQueries());
    }

    /* Those that read whole files, and others at equal distances. */
    private static List<CorpusQuery> some(List<CorpusQuery> queries, int most)
    {
        int step = Math.max(1, queries.size() / most + (queries.size() % most == 0 ? 0 : 1));
        return IntStream.range(0, queries.size()).filter(i -> i % step == 0 || queries.get(i).readsAll()).mapToObj(queries::get).toList();
    }

    private static List<CorpusQuery> ofFile(Table table, String file, List<CorpusColumn> columns, List<List<@Nullable String>> texts, int turn)
    {
        List<CorpusQuery> queries = new ArrayList<>(CorpusQuery.ofColumns(table.name, List.of(file), table.columns()));
        queries.addAll(CorpusQuery.ofValues(table.name, List.of(file), columns, texts, turn, false));
        return some(queries, MOST_QUERIES_OF_A_FILE_BY_ITSELF);
    }

    /* Of each file, sorted rows. */
    private Map<String, List<List<@Nullable String>>> texts(String table, List<String> files, List<CorpusColumn> columns)
    {
        return lake.presto().client(STOCK, "default").execute(CorpusQuery.texts(table, files, columns).sql()).rows().stream()
                .map(row -> row.stream().map(value -> value == null ? null : value.toString()).toList())
                .sorted((a, b) -> a.toString().compareTo(b.toString()))
                .collect(Collectors.groupingBy(row -> requireNonNull(row.get(0)), Collectors.mapping(row -> row.subList(1, row.size()), Collectors
                        .toList())));
    }

    /* Files together, by halves until none of them fails. The short form drops a query that fails of some of them. */
    private List<ExpectedAnswer> ask(CorpusQuery query)
    {
        Answer expected = expected(query);
        if (expected.isNoQuery()) {
            noQueries.add(query + ": " + expected.error());
        }
        if (!expected.isError() || query.files().size() == 1) {
            return List.of(new ExpectedAnswer(query, expected));
        }
        if (!STRESS) {
            return List.of();
        }
        int half = query.files().size() / 2;
        return Stream.of(query.files().subList(0, half), query.files().subList(half, query.files().size())).flatMap(files -> ask(query.of(files))
                .stream())
                .toList();
    }

    private void check(ExpectedAnswer asked, String round)
    {
        Answer answer = answer(CATALOG, asked.query);
        String difference = answer.difference(asked.expected, false);
        if (!difference.isEmpty() && asked.expected.isError()) {
            difference = differenceFromError(answer, asked, difference);
        }
        if (difference.isEmpty()) {
            return;
        }
        String report = round + " " + asked.query + "\n  " + difference;
        System.out.println("DIFFERENCE " + report);
        differences.add(report);
    }

    /*
     * Which column of a damaged file is read first, and so fails the query, differs. Presto's readers also fail on some conditions that the statistics of the file
     * decide: the answer must then be Presto's with a condition of which its readers know nothing.
     */
    private String differenceFromError(Answer answer, ExpectedAnswer asked, String difference)
    {
        CorpusQuery query = asked.query;
        if (answer.isError()) {
            return requireNonNull(columns.get(query.table())).stream().map(column -> expected(CorpusQuery.rows(query.table(), query.files(), List.of(
                    column))))
                    .anyMatch(ofColumn -> ofColumn.isError() && answer.difference(ofColumn, false).isEmpty()) ? "" : difference;
        }
        if (query.where().isEmpty()) {
            return difference;
        }
        onlyStockFails.add(query + ": " + asked.expected.error());
        return answer.difference(expected(query.filteredByTheEngine()), false);
    }

    /*
     * Predicates on each column of the files that can be read, which the footers of the files can decide: of all files, in the long form also of each. The short form takes
     * one of the three kinds of predicates for a table of one file.
     */
    private List<DecidedQuery> decided(Table table, Map<CorpusFile, Probe> probes)
    {
        List<String> read = table.files.stream().filter(file -> requireNonNull(probes.get(file), "no probe").error.isEmpty()).map(
                CorpusFile::partition)
                .toList();
        DecidedQueries queries = new DecidedQueries(table.name, read, table.scalars());
        if (read.isEmpty()) {
            return List.of();
        }
        List<DecidedQuery> all = Stream.of(false, STRESS).distinct().flatMap(ofEachFile -> queries.of(queries.bounds(ofEachFile).stream().map(
                sql -> lake.presto().client(STOCK, "default").execute(sql).rows()).toList()).stream()).distinct().toList();
        return STRESS || table.files.size() > 1 || all.isEmpty() ? all : List.of(all.get(Math.floorMod(table.name.hashCode(), all.size())));
    }

    /*
     * Adds queries that Presto answers: a predicate that makes Presto's reader fail on one file would hide the other files. The short form leaves that predicate out; the
     * long form leaves it out of the other files only.
     */
    private void addAnswered(DecidedQuery query, Collection<DecidedQuery> answered)
    {
        if (!expected(query).isError() || (STRESS && query.isSingle())) {
            answered.add(query);
        }
        else if (STRESS || query.branches().size() > 1) {
            query.halves(STRESS).forEach(half -> addAnswered(half, answered));
        }
    }

    private Answer expected(DecidedQuery query)
    {
        return decidedAnswers.computeIfAbsent(query, any -> Answer.of(lake.presto().client(STOCK, "default"), query.sql()));
    }

    private Answer checkDecided(DecidedQuery query, String round, Map<String, String> session)
    {
        executions.incrementAndGet();
        Answer answer = Answer.of(Sessions.of(lake.presto().client(CATALOG, "default"), CATALOG, session), query.sql());
        String difference = answer.difference(expected(query), false);
        if (!difference.isEmpty()) {
            String report = round + " " + query.sql() + "\n  " + difference;
            System.out.println("DIFFERENCE " + report);
            differences.add(report);
        }
        return answer;
    }

    /* The coordinator drops no split that a worker would not exclude. */
    private void checkPruned(DecidedQuery query)
    {
        Answer known = checkDecided(query, "pruned", Map.of());
        Answer byWorkers = checkDecided(query, "excluded by workers", Map.of(".file_statistics_cache_mode", "BYPASS"));
        if (known.isError() || byWorkers.isError()) {
            return;
        }
        long here = metric(known, "eyrieFragmentDropped");
        long rest = metric(known, "eyrieFragmentPruned") - here;
        long all = metric(byWorkers, "eyrieFragmentPruned");
        dropped.addAndGet(here);
        excluded.addAndGet(rest);
        if (here + rest != all) {
            differences.add(query.sql() + "\n  " + here + " splits dropped and " + rest + " excluded by workers, expected " + all);
        }
    }

    private long metric(Answer answer, String name)
    {
        return lake.presto().client(CATALOG, "default").statistics(answer.queryId()).metric(name).sum();
    }

    private double fileStatistics(String counter)
    {
        return lake.presto().coordinatorMBeans().number("io.eyrie:type=FileStatistics,name=" + CATALOG, counter);
    }

    /* Until the coordinator has read all footers that queries asked for: none waits, and no file was read for a while. */
    private void awaitStatistics()
    {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        double read = -1;
        for (int same = 0; same < SAME_COUNTS || fileStatistics("CurrentQueuedFiles") > 0; same++) {
            assertThat(System.nanoTime()).as("two minutes have passed").isLessThan(end);
            double now = fileStatistics("FilesRead") + fileStatistics("ReadFailures");
            same = now == read ? same : 0;
            read = now;
            lake.presto().client(STOCK, "default").execute("SELECT 1");
        }
    }

    private Answer expected(CorpusQuery query)
    {
        Answer known = answers.get(query);
        if (known != null) {
            return known;
        }
        Answer answer = answer(STOCK, query);
        answers.put(query, answer);
        return answer;
    }

    private Answer answer(String catalog, CorpusQuery query)
    {
        executions.incrementAndGet();
        return Answer.of(Sessions.of(lake.presto().client(catalog, "default"), catalog, query.session()), query.sql());
    }
}
