// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.docs;

import com.facebook.presto.jdbc.PrestoDriver;
import io.eyrie.testing.client.QueryResult.Column;
import io.eyrie.testing.docs.DocBlock;
import io.eyrie.testing.docs.DocPage;
import io.eyrie.testing.docs.ExampleCatalog;
import io.eyrie.testing.docs.ExampleTables;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.lake.LakeBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs every block of {@code sql}, {@code shell} and {@code properties} of README.md and docs/*.md, in order, compares the shape of
 * the output with the {@code text} block below, and runs the statements in the pages' text. A block that cannot run has the comment {@code <!-- not run: the reason -->} before it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocsIT
{
    /*
     * Machine     Commands run in a Sandbox, in which the README's commands install Presto's plugin.
     * Cluster     One coordinator, which runs splits, with the installed plugin on a Hive Metastore and on S3. It starts after the README's steps. The
     *             README's catalog file is the catalog hive, in which all SQL runs. Each other catalog file of the pages is a catalog of its own; lines without
     *             connector.name add to the README's.
     * SQL         One session a page, in hive.web; the tables are those of ExampleTables.
     */
    private static final String README = "README.md";
    private static final Set<String> RUN = Set.of(DocPage.SQL, DocPage.SHELL, DocPage.PROPERTIES);
    private static final Set<String> NOT_COMMANDS = Set.of("text", "mermaid", "xml", "yaml", "json", "dockerfile");
    private static final Pattern END_OF_STATEMENT = Pattern.compile(";[ \\t]*(?:--[^\\n]*)?(?:\\n|$)");
    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*--.*$");

    private final Map<DocBlock, String> catalogs = new LinkedHashMap<>();
    private final List<DocPage> pages = new ArrayList<>();
    private final List<Session> sessions = new ArrayList<>();
    private Path directory;
    private Sandbox sandbox;
    private @Nullable Lake lake;

    private record Answer(List<Column> columns, List<List<@Nullable Object>> rows)
    {}

    @BeforeAll
    void read(@TempDir Path temporary)
            throws IOException
    {
        Checkout checkout = Checkout.find();
        directory = temporary.toRealPath();
        sandbox = new Sandbox(checkout, Files.createDirectory(directory.resolve(ExampleCatalog.NAME)));
        pages.add(DocPage.read(checkout.root().resolve(README)));
        try (Stream<Path> files = Files.list(checkout.root().resolve("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).sorted().map(DocPage::read).forEach(pages::add);
        }
        Map<String, String> main = pages.get(0).catalog();
        for (DocPage page : pages) {
            page.blocks().stream().filter(block -> block.language().equals(DocPage.PROPERTIES) && block.notRun().isEmpty()).forEach(block -> catalogs
                    .put(block,
                            catalog(main, block).equals(main) ? ExampleCatalog.NAME : "docs_" + catalogs.size()));
        }
    }

    @AfterAll
    void stop()
            throws SQLException
    {
        try {
            for (Session session : sessions) {
                session.close();
            }
        }
        finally {
            if (lake != null) {
                lake.close();
            }
        }
    }

    @TestFactory
    Stream<DynamicNode> blocks()
    {
        return pages.stream().map(page -> {
            Session session = new Session();
            sessions.add(session);
            Stream<DynamicTest> blocks = page.blocks().stream().map(block -> DynamicTest.dynamicTest(
                    "line " + block.line() + ", " + block.language() + block.notRun().map(reason -> ", not run: " + reason).orElse(""),
                    () -> check(block, session)));
            Stream<DynamicTest> statements = page.inlineSql().stream().map(sql -> DynamicTest.dynamicTest(sql, () -> session.execute(sql)));
            return DynamicContainer.dynamicContainer(page.name(), Stream.concat(blocks, statements));
        });
    }

    private void check(DocBlock block, Session session)
            throws Exception
    {
        if (block.notRun().isPresent()) {
            assertThat(block.notRun().get()).as("the reason in the comment \"not run\"").isNotBlank();
            return;
        }
        if (!RUN.contains(block.language())) {
            assertThat(NOT_COMMANDS).as("languages of blocks that are not run; commands have one of the languages %s, and each block has a language",
                    RUN).contains(block
                            .language());
            return;
        }
        switch (block.language()) {
            case DocPage.SHELL -> {
                String printed = sandbox.run(block.text());
                block.output().ifPresent(expected -> PrintedShape.assertLines(expected, printed));
            }
            case DocPage.PROPERTIES -> configure(block);
            default -> {
                Answer answer = session.execute(block.text());
                block.output().ifPresent(expected -> PrintedShape.assertTable(expected, answer.columns(), answer.rows()));
            }
        }
    }

    /* The README's catalog file is written where its doctor reads it; the cluster has all of them, and shows the values in effect. */
    private void configure(DocBlock block)
            throws Exception
    {
        String name = requireNonNull(catalogs.get(block));
        Map<String, String> properties = DocPage.properties(block);
        Path file = sandbox.presto().resolve("etc/catalog/" + name + ".properties");
        Files.writeString(file, sandbox.located(block.text()));
        if (name.equals(ExampleCatalog.NAME)) {
            return;
        }
        try (Session session = new Session()) {
            Answer shown = session.execute("SELECT property FROM " + name + ".cache.configuration");
            for (String property : properties.keySet()) {
                if (property.startsWith("cache.") || property.startsWith("fragment-result-cache.")) {
                    assertThat(shown.rows()).as("properties of the running catalog").contains(List.of(property));
                }
            }
        }
    }

    private static Map<String, String> catalog(Map<String, String> main, DocBlock block)
    {
        Map<String, String> properties = new TreeMap<>(block.text().contains("connector.name=") ? Map.of() : main);
        properties.putAll(DocPage.properties(block));
        return properties;
    }

    private Lake lake()
            throws IOException
    {
        if (lake == null) {
            LakeBuilder builder = Lake.builder(Checkout.find())
                    .name("docs")
                    .mainCatalog(ExampleCatalog.NAME)
                    .hiveMetastore()
                    .workers(0)
                    .plugin("eyrie", sandbox.presto().resolve("plugin/eyrie"));
            sandbox.located(ExampleCatalog.properties(Checkout.find())).forEach(builder::property);
            Map<String, String> main = pages.get(0).catalog();
            for (Map.Entry<DocBlock, String> entry : catalogs.entrySet()) {
                if (!entry.getValue().equals(ExampleCatalog.NAME)) {
                    Sandbox other = new Sandbox(Checkout.find(), Files.createDirectory(directory.resolve(entry.getValue())));
                    Map<String, String> properties = other.located(catalog(main, entry.getKey()));
                    properties.remove("hive.metastore.uri");
                    other.createDirectories(properties);
                    builder.catalog(entry.getValue(), properties);
                }
            }
            lake = builder.start();
            ExampleTables.create(lake.client("web"));
        }
        return lake;
    }

    /** The statements of a page, with the session that they leave to the next. */
    private final class Session
            implements AutoCloseable
    {
        private @Nullable Connection connection;

        @Override
        public void close()
                throws SQLException
        {
            if (connection != null) {
                connection.close();
            }
        }

        /** Runs the statements of a block. Returns the answer of the last one. */
        Answer execute(String block)
                throws IOException,
                SQLException
        {
            if (connection == null) {
                URI coordinator = lake().presto().coordinatorUri();
                Properties properties = new Properties();
                properties.setProperty("user", "ops");
                connection = new PrestoDriver().connect("jdbc:presto://" + coordinator.getHost() + ":" + coordinator.getPort() + "/"
                        + ExampleCatalog.NAME + "/web",
                        properties);
            }
            Answer last = new Answer(List.of(), List.of());
            List<String> statements = END_OF_STATEMENT.splitAsStream(block).map(part -> COMMENT.matcher(part).replaceAll("").strip()).filter(
                    part -> !part
                            .isEmpty()).toList();
            assertThat(statements).as("statements").isNotEmpty();
            for (String sql : statements) {
                try (Statement statement = requireNonNull(connection).createStatement()) {
                    last = statement.execute(sql) ? answer(statement.getResultSet()) : new Answer(List.of(), List.of());
                }
                catch (SQLException e) {
                    throw new SQLException(e.getMessage() + "\n  in: " + sql, e);
                }
            }
            return last;
        }

        private static Answer answer(ResultSet results)
                throws SQLException
        {
            ResultSetMetaData metadata = results.getMetaData();
            List<Column> columns = new ArrayList<>();
            for (int i = 1; i <= metadata.getColumnCount(); i++) {
                columns.add(new Column(metadata.getColumnLabel(i), metadata.getColumnTypeName(i)));
            }
            List<List<@Nullable Object>> rows = new ArrayList<>();
            while (results.next()) {
                List<@Nullable Object> row = new ArrayList<>();
                for (int i = 1; i <= columns.size(); i++) {
                    row.add(results.getObject(i));
                }
                rows.add(row);
            }
            return new Answer(columns, rows);
        }
    }
}
