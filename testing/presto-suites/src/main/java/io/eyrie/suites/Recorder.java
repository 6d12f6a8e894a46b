// SPDX-License-Identifier: Apache-2.0
package io.eyrie.suites;

import com.facebook.presto.Session;
import com.facebook.presto.spi.Plugin;
import com.facebook.presto.spi.classloader.ThreadContextClassLoader;
import com.facebook.presto.tpch.TpchPlugin;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.testng.IMethodInstance;
import org.testng.ITestNGMethod;
import org.testng.ITestResult;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.facebook.presto.testing.TestingSession.testSessionBuilder;

/**
 * Runs the suites on Presto's own Hive connector and records the statements that they send, one JSON object per line: {@code suite}, {@code method},
 * {@code sql}, {@code session}, {@code prepared}, {@code timeZone}, {@code ordered} (whether the suite compares the order of rows) and
 * {@code inTransaction} (whether the statement is part of an explicit transaction). Statements that create tables for a whole suite have the method
 * {@value #SET_UP}. Statements name the catalog {@value #CATALOG} and the schema {@value #SCHEMA}.
 *
 * <p>The recorder does not check expected answers. A method that meets an error other than the expected one ends early; its line has {@code endedBy}
 * and an empty {@code sql}.
 */
public final class Recorder
{
    static final String CATALOG = "recorded_catalog";
    static final String SCHEMA = "recorded_schema";

    /** The method name of statements that create tables for a whole suite. */
    static final String SET_UP = "@BeforeClass";

    private static final List<String> TABLES = List.of("customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier");
    private static final StackWalker STACK = StackWalker.getInstance();

    private final ObjectMapper json = new ObjectMapper();
    private final BufferedWriter out;
    private final Set<String> selection;
    private volatile String suite = "";
    private volatile String method = "";

    private Recorder(BufferedWriter out, Set<String> selection)
    {
        this.out = out;
        this.selection = selection;
    }

    /**
     * Arguments: the file to write, the plugin folder of Presto's Hive connector, an empty directory, and the methods to run as {@code suite#method}, or
     * {@code suite} for all of its methods; none means all.
     */
    public static void main(String[] args)
            throws Exception
    {
        try (BufferedWriter out = Files.newBufferedWriter(Path.of(args[0]))) {
            new Recorder(out, Set.copyOf(List.of(args).subList(3, args.length))).record(Path.of(args[1]), Path.of(args[2]));
        }
        // an orderly shutdown of the cluster takes half a minute and is not needed
        Runtime.getRuntime().halt(0);
    }

    @SuppressWarnings({"resource", "try"}) // the plugin is in use until the process ends; the thread's class loader is restored
    private void record(Path hivePlugin, Path directory)
            throws Exception
    {
        Session session = testSessionBuilder().setCatalog(CATALOG).setSchema(SCHEMA).build();
        RecordingQueryRunner runner = new RecordingQueryRunner(session, Map.of(), this::write);
        runner.installPlugin(new TpchPlugin());
        runner.createCatalog("tpch", "tpch");
        Plugin hive = HivePlugin.load(hivePlugin);
        try (ThreadContextClassLoader ignored = new ThreadContextClassLoader(hive.getClass().getClassLoader())) {
            runner.installPlugin(hive);
        }
        runner.createCatalog(CATALOG, "hive-hadoop2", Map.of(
                "hive.metastore", "file",
                "hive.metastore.catalog.dir", directory.toUri().toString(),
                "hive.allow-drop-table", "true",
                "hive.allow-rename-table", "true",
                "hive.allow-add-column", "true",
                "hive.allow-drop-column", "true",
                "hive.allow-rename-column", "true"));
        runner.execute("CREATE SCHEMA " + SCHEMA);
        TABLES.forEach(table -> runner.execute("CREATE TABLE " + table + " AS SELECT * FROM tpch.tiny." + table));

        TestNG tests = new TestNG(false);
        tests.setTestClasses(Suites.on(runner, runner.echo()));
        tests.setMethodInterceptor((methods, context) -> methods.stream().filter(this::isSelected).toList());
        tests.addListener(new Listener());
        tests.run();
    }

    private boolean isSelected(IMethodInstance candidate)
    {
        String declaring = suite(candidate.getMethod());
        return selection.isEmpty() || selection.contains(declaring) || selection.contains(declaring + "#" + candidate.getMethod().getMethodName());
    }

    private static String suite(ITestNGMethod method)
    {
        return method.getConstructorOrMethod().getDeclaringClass().getSimpleName();
    }

    private void write(Session session, String sql)
    {
        if (method.isEmpty()) {
            return;
        }
        Map<String, String> properties = new HashMap<>(session.getSystemProperties());
        session.getConnectorProperties().forEach((catalog, values) -> values.forEach((name, value) -> properties.put(catalog.getCatalogName() + "."
                + name, value)));
        session.getUnprocessedCatalogProperties().forEach((catalog, values) -> values.forEach((name, value) -> properties.put(catalog + "." + name,
                value)));
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("suite", suite);
        line.put("method", method);
        line.put("sql", sql);
        line.put("session", properties);
        line.put("prepared", session.getPreparedStatements());
        line.put("timeZone", session.getTimeZoneKey().getId());
        line.put("ordered", STACK.walk(frames -> frames.anyMatch(frame -> frame.getMethodName().startsWith("assertQueryOrdered"))));
        line.put("inTransaction", session.getTransactionId().isPresent());
        write(line);
    }

    private void write(Map<String, Object> line)
    {
        try {
            synchronized (out) {
                out.write(json.writeValueAsString(line));
                out.newLine();
            }
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Listener
            extends TestListenerAdapter
    {
        @Override
        public void onTestStart(ITestResult result)
        {
            suite = suite(result.getMethod());
            method = result.getMethod().getMethodName();
        }

        @Override
        public void beforeConfiguration(ITestResult result)
        {
            suite = result.getMethod().getRealClass().getSuperclass().getSimpleName();
            method = result.getMethod().isBeforeClassConfiguration() ? SET_UP : "";
        }

        @Override
        public void onTestFailure(ITestResult result)
        {
            write(Map.of("suite", suite, "method", method, "sql", "", "session", Map.of(), "prepared", Map.of(), "timeZone", "", "endedBy", String
                    .valueOf(result.getThrowable()).lines().findFirst().orElse("")));
        }
    }
}
