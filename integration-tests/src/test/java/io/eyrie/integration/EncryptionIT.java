// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests encryption at rest on a real cluster: the catalog {@code eyrie} encrypts; {@code plain} is the same without a key. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EncryptionIT
{
    private static final String SCHEMA = "secrets";
    private static final String MARKER = "marker-that-nobody-should-find-on-any-disk-of-ours-";
    private static final String COLUMN = "column_of_the_marker";
    private static final List<String> NODES = List.of("coordinator", "worker-0");

    private final Path directory;
    private final byte[] key = HexFormat.of().parseHex("5a17c3e9".repeat(8));
    private Lake lake;

    EncryptionIT(@TempDir Path directory)
    {
        this.directory = directory;
    }

    @BeforeAll
    void start()
            throws IOException
    {
        Path file = directory.resolve("key");
        Files.writeString(file, base64());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Map<String, String> encrypted = new HashMap<>(catalog("encrypted"));
        encrypted.put("cache.encryption-key-file", file.toString());
        var builder = Lake.builder(Checkout.find()).name("encryption").workers(1).catalog("plain", catalog("plain"));
        encrypted.forEach(builder::property);
        lake = builder.start();
        lake.client(SCHEMA).execute("CREATE SCHEMA " + SCHEMA);
        lake.createTable(SCHEMA, "kept", "x bigint, " + COLUMN + " varchar", "format = 'ORC'");
        lake.uncachedClient(SCHEMA).withSession("eyrie.orc_compression_codec", "NONE")
                .execute("INSERT INTO kept SELECT x, '" + MARKER + "' || cast(x AS varchar) FROM UNNEST(sequence(1, 5000)) AS t(x)");
    }

    /* Each catalog has its own directories on every node: pages, traces, and the settings that procedures change. */
    private Map<String, String> catalog(String name)
            throws IOException
    {
        for (String node : NODES) {
            for (String part : List.of("pages", "traces", "control")) {
                Files.createDirectories(directory.resolve(name).resolve(node).resolve(part));
            }
        }
        String own = directory.resolve(name) + "/${node}";
        return Map.of(
                "cache.base-directory", own + "/pages",
                "cache.trace-directory", own + "/traces",
                "cache.control-directory", own + "/control",
                "cache.open-partition-age", "1ms",
                "fragment-result-cache.enabled", "true",
                "hive.metastore-cache-ttl", "1h",
                "hive.file-status-cache-tables", "*",
                "hive.file-status-cache-expire-time", "1h");
    }

    @AfterAll
    void stop()
    {
        requireNonNull(lake).close();
    }

    private String base64()
    {
        return Base64.getEncoder().encodeToString(key);
    }

    @Test
    void nothingOfATableIsInTheFilesOfAnEncryptedCache()
            throws IOException
    {
        query(Lake.CATALOG);
        query("plain");
        lake.presto().restart(); // everything is written
        assertThat(showing("plain", MARKER)).isNotEmpty();
        assertThat(showing("plain", COLUMN)).isNotEmpty();
        assertThat(showing("encrypted", MARKER)).isEmpty();
        assertThat(showing("encrypted", COLUMN)).isEmpty();
        for (String part : List.of("pages", "traces", "control")) {
            assertThat(showing("encrypted", "/" + part + "/")).as(part).isNotEmpty();
        }
        // names that operators pass to procedures are stored in plain text
        assertThat(showing("encrypted", "kept")).allMatch(file -> file.toString().contains("/control/"));
    }

    @Test
    void keyIsNotToldAnywhere()
            throws IOException
    {
        query(Lake.CATALOG);
        List<String> told = new ArrayList<>();
        PrestoClient client = lake.client("cache");
        for (String table : client.execute("SHOW TABLES FROM cache").strings(0)) {
            told.add(client.execute("SELECT * FROM cache." + table).rows().toString());
        }
        assertThat(String.join("", told)).contains("cache.encryption-key-file", "kept");
        told.add(lake.presto().coordinatorMBeans().text());
        for (int worker = 0; worker < lake.presto().workers(); worker++) {
            told.add(lake.presto().workerMBeans(worker).text());
        }
        assertThat(told.get(told.size() - 1)).contains("type=DataCache,name=eyrie", "-Dnode.id=worker-0");
        for (String node : NODES) {
            told.add(Files.readString(lake.presto().logDirectory().resolve(node + ".log"), ISO_8859_1));
        }
        for (String form : List.of(base64(), HexFormat.of().formatHex(key), HexFormat.of().withUpperCase().formatHex(key), new String(key,
                ISO_8859_1))) {
            assertThat(told).noneMatch(text -> text.contains(form));
            assertThat(showing("encrypted", form)).isEmpty();
        }
    }

    /* Queries twice: the second time, pages, footers, lists and results are cached. */
    private void query(String catalog)
    {
        PrestoClient client = lake.presto().client(catalog, SCHEMA);
        for (int i = 0; i < 2; i++) {
            client.execute("SELECT * FROM kept");
            client.execute("SELECT max(" + COLUMN + "), count(*) FROM kept WHERE " + COLUMN + " LIKE '" + MARKER + "%'");
        }
        client.execute("CALL system.pin_in_cache('" + SCHEMA + "', 'kept')");
        for (String layer : List.of("data", "footer", "fragment", "file_list", "metastore")) {
            assertThat((Long) client.execute("SELECT sum(hits) FROM cache.layers WHERE layer = '" + layer + "'").onlyValue()).as(layer).isPositive();
        }
    }

    /** Returns the files below a catalog's directories whose bytes, as ISO 8859-1, or whose names contain the text. */
    private List<Path> showing(String catalog, String text)
            throws IOException
    {
        List<Path> showing = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory.resolve(catalog))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (file.toString().contains(text) || Files.readString(file, ISO_8859_1).contains(text)) {
                    showing.add(file);
                }
            }
        }
        return showing;
    }
}
