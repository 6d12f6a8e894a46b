// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import com.facebook.presto.jdbc.PrestoDriver;
import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryFailedException;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.LinkFault;
import io.eyrie.testing.link.RequestKind;
import io.eyrie.testing.metastore.HiveMetastoreServer;
import io.eyrie.testing.s3.EmbeddedS3Server;
import io.eyrie.testing.s3.S3Client;
import io.eyrie.testing.s3.S3Object;
import io.eyrie.testing.s3.S3Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests the guarantees for lists of files on a real cluster and a real metastore. The catalog {@code eyrie} seals directories at once, {@code aged}
 * an hour after their newest file, {@code listed} never. {@code alone} also seals at once; its metastore cache is disabled, and it reads nested
 * directories. Each catalog has its own caches, so each is a second writer to the others.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FileListsIT
{
    private static final String SCHEMA = "lists";
    private static final String ROWS = "SELECT count(*), sum(a) FROM ";

    private HiveMetastoreServer metastore;
    private Lake lake;
    private PrestoClient sealed;
    private PrestoClient listed;

    @BeforeAll
    void start()
    {
        Checkout checkout = Checkout.find();
        S3Server s3 = EmbeddedS3Server.inMemory();
        Map<String, String> settings = new TreeMap<>(HiveMetastoreServer.s3(s3));
        settings.putAll(HiveMetastoreServer.NOTIFICATION_LOG);
        metastore = HiveMetastoreServer.start(checkout.root().resolve("testing/hive-metastore/target/lib"), Path.of(
                "target/file-lists-metastore.log"), settings);
        Map<String, String> onMetastore = Map.of(
                "hive.metastore", "thrift",
                "hive.metastore.uri", metastore.uri().toString(),
                // for a busy machine
                "hive.metastore-timeout", "2m",
                "hive.metastore.catalog.dir", "",
                "hive.metastore-cache-ttl", "1d",
                "hive.metastore-cache-scope", "ALL",
                "hive.allow-drop-table", "true");
        Map<String, String> sealing = Map.of("hive.file-status-cache-tables", "*", "hive.file-status-cache-expire-time", "24h");
        Map<String, String> atOnce = with(with(onMetastore, sealing), Map.of("cache.open-partition-age", "0s"));
        var builder = Lake.builder(checkout)
                .name("file-lists")
                .server(() -> s3)
                .workers(0)
                .catalog("aged", with(onMetastore, sealing))
                .catalog("alone", with(atOnce, Map.of("hive.metastore-cache-ttl", "0s", "hive.recursive-directories", "true")))
                .catalog("listed", onMetastore);
        atOnce.forEach(builder::property);
        lake = builder.start();
        sealed = lake.client(SCHEMA);
        listed = lake.presto().client("listed", SCHEMA);
        sealed.execute("CREATE SCHEMA " + SCHEMA + " WITH (location = 's3a://" + Lake.BUCKET + "/" + SCHEMA + "/')");
    }

    @AfterAll
    @SuppressWarnings("try") // closes in reverse order, even if one of them fails
    void stop()
    {
        try (HiveMetastoreServer first = requireNonNull(metastore); Lake second = requireNonNull(lake)) {
            return;
        }
    }

    @Test
    void sealedDirectoriesAreNotListedAndWarmReadsAskS3ForNothing()
    {
        table("quiet");
        for (int i = 0; i < 2; i++) {
            assertThat(sealed.execute(ROWS + "quiet").rows()).containsExactly(List.of(3L, 6L));
        }
        LinkCounts before = lake.quietCounts();
        assertThat(sealed.execute(ROWS + "quiet").rows()).containsExactly(List.of(3L, 6L));
        assertThat(lake.quietCounts().minus(before).requests()).isZero();
    }

    @Test
    void nextQuerySeesEachChangeMadeThroughTheMetastore()
    {
        for (String catalog : List.of("eyrie", "alone")) {
            PrestoClient reader = lake.presto().client(catalog, SCHEMA);
            String table = "changed_" + catalog;
            table(table);
            assertThat(reader.execute(ROWS + table).rows()).containsExactly(List.of(3L, 6L));
            listed.execute("INSERT INTO " + table + " VALUES (10, 'one')");
            assertThat(reader.execute(ROWS + table).rows()).containsExactly(List.of(4L, 16L));
            listed.execute("INSERT INTO " + table + " VALUES (20, 'four')");
            assertThat(reader.execute(ROWS + table).rows()).containsExactly(List.of(5L, 36L));
            overwriting(catalog).execute("INSERT INTO " + table + " VALUES (5, 'one')");
            assertThat(reader.execute(ROWS + table).rows()).containsExactly(List.of(4L, 30L));
            listed.execute("DELETE FROM " + table + " WHERE p = 'two'");
            assertThat(reader.execute(ROWS + table).rows()).containsExactly(List.of(3L, 28L));
            reader.execute("INSERT INTO " + table + " VALUES (7, 'three')");
            assertThat(reader.execute(ROWS + table).rows()).containsExactly(List.of(4L, 35L));
            listed.execute("DROP TABLE " + table);
        }
    }

    @Test
    void insertLeavesTheListsOfOtherPartitions()
    {
        table("growing");
        for (int i = 0; i < 2; i++) {
            assertThat(sealed.execute(ROWS + "growing").rows()).containsExactly(List.of(3L, 6L));
        }
        for (String values : List.of("(4, 'four')", "(5, 'one')")) {
            sealed.execute("INSERT INTO growing VALUES " + values);
            LinkCounts before = lake.quietCounts();
            sealed.execute(ROWS + "growing");
            assertThat(lake.quietCounts().minus(before).of(RequestKind.LIST).requests()).as("after INSERT of %s", values).isEqualTo(1);
        }
        assertThat(sealed.execute(ROWS + "growing").rows()).containsExactly(List.of(5L, 15L));
    }

    @Test
    void overwriteByAnotherCoordinatorOfWhichPrestoTellsTheMetastoreNothing()
    {
        table("silent");
        for (int i = 0; i < 2; i++) {
            assertThat(sealed.execute(ROWS + "silent").rows()).containsExactly(List.of(3L, 6L));
        }
        overwriting("listed").execute("INSERT INTO silent VALUES (5, 'one')");
        PrestoClient listing = sealed.withSession("eyrie.use_list_directory_cache", "false");
        assertThat(listing.execute(ROWS + "silent").rows()).as("metadata from the cache, files listed").containsExactly(List.of(3L, 10L));
        assertThat(sealed.execute(ROWS + "silent").rows()).as("a sealed directory").containsExactly(List.of(3L, 6L));
        sealed.execute("CALL system.invalidate_directory_list_cache()");
        assertThat(sealed.execute(ROWS + "silent").rows()).containsExactly(List.of(3L, 10L));
    }

    @Test
    void nextQuerySeesAnInsertIntoATableWithoutPartitionsAndItsDeletion()
    {
        listed.execute("CREATE TABLE whole (a bigint) WITH (format = 'ORC')");
        for (long rows = 1; rows < 4; rows++) {
            listed.execute("INSERT INTO whole VALUES 1");
            assertThat(sealed.execute("SELECT count(*) FROM whole").onlyValue()).isEqualTo(rows);
            assertThat(sealed.execute("SELECT count(*) FROM whole").onlyValue()).isEqualTo(rows);
        }
        sealed.execute("DELETE FROM whole");
        assertThat(sealed.execute("SELECT count(*) FROM whole").onlyValue()).isEqualTo(0L);
    }

    /* The transaction remembers what the metastore answered to its first query, so the second one looks nothing up in the metastore's cache. */
    @Test
    void nextQueryOfATransactionSeesAnInsert()
            throws SQLException
    {
        listed.execute("CREATE TABLE transacted (a bigint) WITH (format = 'ORC')");
        listed.execute("INSERT INTO transacted VALUES 1");
        try (Connection transaction = connection(); Statement statement = transaction.createStatement()) {
            transaction.setAutoCommit(false);
            for (long rows = 1; rows < 4; rows++) {
                try (ResultSet count = statement.executeQuery("SELECT count(*) FROM transacted")) {
                    assertThat(count.next()).isTrue();
                    assertThat(count.getLong(1)).isEqualTo(rows);
                }
                listed.execute("INSERT INTO transacted VALUES 1");
            }
            transaction.commit();
        }
    }

    private Connection connection()
            throws SQLException
    {
        URI coordinator = lake.presto().coordinatorUri();
        Properties user = new Properties();
        user.setProperty("user", "eyrie");
        return new PrestoDriver().connect("jdbc:presto://" + coordinator.getHost() + ":" + coordinator.getPort() + "/eyrie/" + SCHEMA, user);
    }

    /* The metastore hears of the INSERT only when the transaction commits. */
    @ParameterizedTest
    @CsvSource({"APPEND, 4, 11", "OVERWRITE, 3, 10"})
    void transactionSeesItsOwnInsert(String behavior, long rows, long sum)
            throws SQLException
    {
        for (boolean commits : new boolean[] {false, true}) {
            String table = "own_" + behavior.toLowerCase(Locale.ROOT) + commits;
            table(table);
            for (int i = 0; i < 2; i++) {
                assertThat(sealed.execute(ROWS + table).rows()).containsExactly(List.of(3L, 6L));
            }
            try (Connection transaction = connection(); Statement statement = transaction.createStatement()) {
                statement.execute("SET SESSION eyrie.insert_existing_partitions_behavior = '" + behavior + "'");
                transaction.setAutoCommit(false);
                statement.execute("INSERT INTO " + table + " VALUES (5, 'one')");
                try (ResultSet result = statement.executeQuery(ROWS + table)) {
                    assertThat(result.next()).isTrue();
                    assertThat(List.of(result.getLong(1), result.getLong(2))).containsExactly(rows, sum);
                }
                if (commits) {
                    transaction.commit();
                }
                else {
                    transaction.rollback();
                    // the engine does not wait for the end of a rollback
                    while (listed.execute(ROWS + table).rows().equals(List.of(List.of(rows, sum)))) {
                        listed.execute("SELECT 1");
                    }
                    listed.execute("SELECT 1");
                }
            }
            assertThat(sealed.execute(ROWS + table).rows()).isEqualTo(listed.execute(ROWS + table).rows());
        }
    }

    @Test
    void fileThatIsPutStraightIntoTheStore()
    {
        table("behind");
        PrestoClient aged = lake.presto().client("aged", SCHEMA);
        for (PrestoClient client : List.of(sealed, listed, aged)) {
            assertThat(client.execute(ROWS + "behind").rows()).containsExactly(List.of(3L, 6L));
        }
        S3Client s3 = lake.s3().client();
        s3.put(Lake.BUCKET, SCHEMA + "/behind/p=one/copied", s3.get(Lake.BUCKET, onlyFile("behind", "one")));
        assertThat(listed.execute(ROWS + "behind").rows()).containsExactly(List.of(4L, 7L));
        assertThat(aged.execute(ROWS + "behind").rows()).as("an open partition").containsExactly(List.of(4L, 7L));
        assertThat(sealed.execute(ROWS + "behind").rows()).as("a sealed one").containsExactly(List.of(3L, 6L));
        assertThat(sealed.withSession("eyrie.use_list_directory_cache", "false").execute(ROWS + "behind").rows()).containsExactly(List.of(4L, 7L));
        sealed.execute("CALL system.invalidate_directory_list_cache()");
        assertThat(sealed.execute(ROWS + "behind").rows()).containsExactly(List.of(4L, 7L));
    }

    @Test
    void fileThatIsGoneFailsOneQueryWithPrestosOwnError()
    {
        table("replaced");
        // without the page cache, which would still contain the file's pages
        PrestoClient client = sealed.withSession("eyrie.cache_enabled", "false");
        assertThat(client.execute(ROWS + "replaced").rows()).containsExactly(List.of(3L, 6L));
        S3Client s3 = lake.s3().client();
        String key = onlyFile("replaced", "one");
        byte[] content = s3.get(Lake.BUCKET, key);
        s3.delete(Lake.BUCKET, key);
        s3.put(Lake.BUCKET, SCHEMA + "/replaced/p=one/compacted", content);
        assertThatThrownBy(() -> client.execute(ROWS + "replaced")).isInstanceOf(QueryFailedException.class)
                .hasMessageContaining(key)
                .hasMessageContaining("does not exist");
        assertThat(client.execute(ROWS + "replaced").rows()).containsExactly(List.of(3L, 6L));
        LinkCounts before = lake.quietCounts();
        assertThat(client.execute(ROWS + "replaced").rows()).containsExactly(List.of(3L, 6L));
        assertThat(lake.quietCounts().minus(before).of(RequestKind.LIST).requests()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ORC", "PARQUET", "TEXTFILE"})
    void fileThatIsGoneIsListedAnewWithinTheQueryWhereTheEngineMayRunItTwice(String format)
    {
        String table = "again_" + format.toLowerCase(Locale.ROOT);
        table(table, format);
        PrestoClient client = sealed.withSession("eyrie.cache_enabled", "false").withSession("query_retry_limit", "1");
        for (int i = 0; i < 2; i++) {
            assertThat(client.execute(ROWS + table).rows()).containsExactly(List.of(3L, 6L));
        }
        S3Client s3 = lake.s3().client();
        String key = onlyFile(table, "one");
        String compacted = key.replace("p=one/", "p=one/compacted_"); // the end of the name indicates the compression
        s3.put(Lake.BUCKET, compacted, s3.get(Lake.BUCKET, key));
        s3.delete(Lake.BUCKET, key);
        assertThat(client.execute(ROWS + table).rows()).containsExactly(List.of(3L, 6L));
        s3.delete(Lake.BUCKET, compacted);
        assertThat(client.execute(ROWS + table).rows()).containsExactly(List.of(2L, 5L));
    }

    /* Each listing is answered only after all others were requested. */
    @Test
    void partitionsAreListedAtATime()
    {
        int partitions = 20;
        lake.createTable(SCHEMA, "many", "a bigint, p varchar", "format = 'ORC', partitioned_by = ARRAY['p']");
        lake.uncachedClient(SCHEMA).execute("INSERT INTO many SELECT n, cast(n AS varchar) FROM UNNEST(sequence(1, " + partitions + ")) AS t(n)");
        CountDownLatch asked = new CountDownLatch(partitions);
        AtomicBoolean alone = new AtomicBoolean();
        lake.link().injectFaults(request -> {
            if (request.kind() == RequestKind.LIST && request.target().contains("many")) {
                asked.countDown();
                try {
                    alone.compareAndSet(false, !asked.await(30, TimeUnit.SECONDS));
                }
                catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return Optional.empty();
        });
        try {
            assertThat(sealed.execute("SELECT sum(a) FROM many").onlyValue()).isEqualTo(210L);
        }
        finally {
            lake.link().clearFaults();
        }
        assertThat(alone).as("listings that waited for others").isFalse();
        assertThat(asked.getCount()).isZero();
    }

    @Test
    void scanOfManyPartitionsIsAFewListings()
    {
        int partitions = 60;
        partitioned("many_listed", partitions);
        S3Client s3 = lake.s3().client();
        String some = onlyFile("many_listed", "7");
        byte[] row = s3.get(Lake.BUCKET, some);
        for (String other : List.of("_hidden", ".hidden", "nested/", "nested/file", "gone_$folder$", "marker/")) {
            s3.put(Lake.BUCKET, some.replaceFirst("[^/]+$", Matcher.quoteReplacement(other)), other.endsWith("/") || other.endsWith("$")
                    ? new byte[0]
                    : row);
        }
        assertFewListings(listed, "many_listed", List.of(60L, 1830L), partitions);
        PrestoClient recursive = lake.presto().client("alone", SCHEMA).withSession("alone.use_list_directory_cache", "false");
        assertFewListings(recursive, "many_listed", List.of(61L, 1837L), partitions);
        s3.put(Lake.BUCKET, some.replaceFirst("[^/]+$", "copied"), row);
        assertFewListings(listed, "many_listed", List.of(61L, 1837L), partitions);
        s3.put(Lake.BUCKET, some, s3.get(Lake.BUCKET, onlyFile("many_listed", "8")));
        assertFewListings(listed, "many_listed", List.of(61L, 1838L), partitions);
        s3.delete(Lake.BUCKET, some);
        assertFewListings(listed, "many_listed", List.of(60L, 1830L), partitions);
    }

    private void assertFewListings(PrestoClient client, String table, List<Object> row, int partitions)
    {
        LinkCounts before = lake.quietCounts();
        QueryResult result = client.execute(ROWS + table);
        assertThat(result.rows()).containsExactly(row);
        assertThat(lake.quietCounts().minus(before).of(RequestKind.LIST).requests()).as("listings of %s", table).isBetween(1L, 3L);
        assertThat(client.statistics(result).metric("eyriePrefixListingAnswers").sum()).isGreaterThan(partitions - 3L);
    }

    @Test
    void partitionsOfATableWhosePrefixMayNotBeListed()
    {
        int partitions = 60;
        partitioned("many_listed", partitions);
        List<? extends List<?>> rows = listed.execute(ROWS + "many_listed").rows();
        lake.link().injectFaults(request -> request.kind() == RequestKind.LIST && request.target().contains("start-after")
                ? Optional.of(LinkFault.DENIED)
                : Optional.empty());
        LinkCounts before = lake.quietCounts();
        try {
            assertThat(listed.execute(ROWS + "many_listed").rows()).isEqualTo(rows);
        }
        finally {
            lake.link().clearFaults();
        }
        assertThat(lake.quietCounts().minus(before).of(RequestKind.LIST).requests()).isEqualTo(partitions + 1L);
    }

    /* Creates a table of partitions with one file of one row each, unless it exists. */
    private void partitioned(String table, int partitions)
    {
        if (!listed.execute("SHOW TABLES LIKE '" + table + "'").rows().isEmpty()) {
            return;
        }
        listed.execute("CREATE TABLE " + table + " (a bigint, p varchar) WITH (format = 'ORC', partitioned_by = ARRAY['p'])");
        listed.execute("INSERT INTO " + table + " SELECT n, cast(n AS varchar) FROM UNNEST(sequence(1, " + partitions + ")) AS t(n)");
    }

    @Test
    void fileThatIsGoneAgainWhenItWasListedAnewIsPrestosOwnError()
    {
        table("vanishing");
        PrestoClient client = sealed.withSession("eyrie.cache_enabled", "false").withSession("query_retry_limit", "5");
        for (int i = 0; i < 2; i++) {
            assertThat(client.execute(ROWS + "vanishing").rows()).containsExactly(List.of(3L, 6L));
        }
        S3Client s3 = lake.s3().client();
        String key = onlyFile("vanishing", "one");
        byte[] content = s3.get(Lake.BUCKET, key);
        AtomicInteger listings = new AtomicInteger();
        lake.link().injectFaults(request -> {
            if (request.kind() == RequestKind.LIST && request.target().contains("vanishing") && request.target().contains("one")) {
                listings.incrementAndGet();
                s3.put(Lake.BUCKET, key, content);
            }
            else if (request.kind() == RequestKind.GET_DATA && request.target().contains("vanishing")) {
                s3.delete(Lake.BUCKET, key);
            }
            return Optional.empty();
        });
        try {
            assertThatThrownBy(() -> client.execute(ROWS + "vanishing")).isInstanceOf(QueryFailedException.class)
                    .hasMessageContaining(key)
                    .hasMessageContaining("does not exist");
        }
        finally {
            lake.link().clearFaults();
        }
        assertThat(listings).hasValue(1);
    }

    @Test
    void fileOverwrittenInASealedDirectoryFailsOneQuery()
    {
        table("overwritten");
        assertThat(sealed.withSession("eyrie.cache_enabled", "false").execute(ROWS + "overwritten").rows()).containsExactly(List.of(3L, 6L));
        S3Client s3 = lake.s3().client();
        s3.put(Lake.BUCKET, onlyFile("overwritten", "one"), s3.get(Lake.BUCKET, onlyFile("overwritten", "three")));
        assertThatThrownBy(() -> sealed.execute(ROWS + "overwritten")).isInstanceOf(QueryFailedException.class)
                .hasMessageContaining("was overwritten after the query listed it");
        assertThat(sealed.execute(ROWS + "overwritten").rows()).containsExactly(List.of(3L, 8L));
    }

    @Test
    void fileOverwrittenInASealedDirectoryIsListedAnewWithinTheQueryWhereTheEngineMayRunItTwice()
    {
        table("rewritten");
        assertThat(sealed.withSession("eyrie.cache_enabled", "false").execute(ROWS + "rewritten").rows()).containsExactly(List.of(3L, 6L));
        S3Client s3 = lake.s3().client();
        s3.put(Lake.BUCKET, onlyFile("rewritten", "one"), s3.get(Lake.BUCKET, onlyFile("rewritten", "three")));
        assertThat(sealed.withSession("query_retry_limit", "1").execute(ROWS + "rewritten").rows()).containsExactly(List.of(3L, 8L));
    }

    /* Creates a table of three partitions of one row each. */
    private void table(String name)
    {
        table(name, "ORC");
    }

    private void table(String name, String format)
    {
        listed.execute("CREATE TABLE " + name + " (a bigint, p varchar) WITH (format = '" + format + "', partitioned_by = ARRAY['p'])");
        listed.execute("INSERT INTO " + name + " VALUES (1, 'one'), (2, 'two'), (3, 'three')");
    }

    private PrestoClient overwriting(String catalog)
    {
        return lake.presto().client(catalog, SCHEMA).withSession(catalog + ".insert_existing_partitions_behavior", "OVERWRITE");
    }

    private String onlyFile(String table, String partition)
    {
        return lake.s3().client().list(Lake.BUCKET, SCHEMA + "/" + table + "/p=" + partition + "/")
                .stream()
                .filter(object -> object.size() > 0)
                .map(S3Object::key)
                .reduce((one, other) -> {
                    throw new IllegalStateException("two files: " + one + ", " + other);
                })
                .orElseThrow();
    }

    private static Map<String, String> with(Map<String, String> some, Map<String, String> more)
    {
        Map<String, String> both = new TreeMap<>(some);
        both.putAll(more);
        return both;
    }
}
