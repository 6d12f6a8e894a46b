// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.client;

import com.facebook.presto.jdbc.PrestoConnection;
import com.facebook.presto.jdbc.PrestoDriver;
import com.facebook.presto.jdbc.PrestoStatement;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyrie.testing.client.QueryResult.Column;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import static java.util.Objects.requireNonNull;

/**
 * Runs SQL on a coordinator over its HTTP protocol. Immutable: each {@code with…} method returns another client. Every statement opens and closes its
 * own connection, so many threads may share a client, and a client outlives a restart of the coordinator on the same port.
 */
public final class PrestoClient
{
    private static final String USER = "eyrie";
    private static final Duration HTTP_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration STATISTICS_TIMEOUT = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final PrestoDriver DRIVER = new PrestoDriver();
    // HTTP/2 needs an upgrade of the open connection, on which the client and Presto's server sometimes disagree
    private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(HTTP_TIMEOUT).build();
    private static final int MEMORIZED_STATISTICS = 2;
    /* By query id. Tests ask for several figures of a query; its statistics take the server and the client some time to write and read. */
    private static final Map<String, QueryStatistics> FINAL_STATISTICS = new LinkedHashMap<>();

    private final URI coordinator;
    private final String catalog;
    private final String schema;
    private final Map<String, String> session;
    private final Map<String, String> prepared;
    private final Identity identity;

    private record Identity(String user, Optional<String> timeZone)
    {}

    /** Creates a client of the coordinator at {@code http://host:port}, with no session properties. */
    public PrestoClient(URI coordinator, String catalog, String schema)
    {
        this(coordinator, catalog, schema, Map.of(), Map.of(), new Identity(USER, Optional.empty()));
    }

    private PrestoClient(URI coordinator, String catalog, String schema, Map<String, String> session, Map<String, String> prepared, Identity identity)
    {
        this.coordinator = requireNonNull(coordinator, "coordinator is null");
        this.catalog = requireNonNull(catalog, "catalog is null");
        this.schema = requireNonNull(schema, "schema is null");
        this.session = Map.copyOf(session);
        this.prepared = Map.copyOf(prepared);
        this.identity = identity;
    }

    /** Returns the same client in another schema. */
    public PrestoClient withSchema(String newCatalog, String newSchema)
    {
        return new PrestoClient(coordinator, newCatalog, newSchema, session, prepared, identity);
    }

    /** Returns the same client with one more session property; a catalog's property is named {@code catalog.property}. */
    public PrestoClient withSession(String property, String value)
    {
        Map<String, String> properties = new TreeMap<>(session);
        properties.put(property, value);
        return new PrestoClient(coordinator, catalog, schema, properties, prepared, identity);
    }

    /** Returns the same client with one more prepared statement, for {@code EXECUTE name}. */
    public PrestoClient withPrepared(String name, String sql)
    {
        Map<String, String> statements = new TreeMap<>(prepared);
        statements.put(name, sql);
        return new PrestoClient(coordinator, catalog, schema, session, statements, identity);
    }

    /** Returns the same client as another user. */
    public PrestoClient withUser(String user)
    {
        return new PrestoClient(coordinator, catalog, schema, session, prepared, new Identity(user, identity.timeZone()));
    }

    /** Returns the same client in another time zone, such as {@code Asia/Tokyo}. */
    public PrestoClient withTimeZone(String timeZone)
    {
        return new PrestoClient(coordinator, catalog, schema, session, prepared, new Identity(identity.user(), Optional.of(timeZone)));
    }

    /** Runs one statement to its end. */
    public QueryResult execute(String sql)
    {
        AtomicReference<@Nullable String> queryId = new AtomicReference<>();
        try (Connection connection = connect(); PrestoStatement statement = connection.createStatement().unwrap(PrestoStatement.class)) {
            for (Map.Entry<String, String> entry : prepared.entrySet()) {
                statement.execute("PREPARE " + entry.getKey() + " FROM " + entry.getValue());
            }
            statement.setProgressMonitor(progress -> queryId.set(progress.getQueryId()));
            long start = System.nanoTime();
            List<Column> columns = List.of();
            List<List<@Nullable Object>> rows = List.of();
            long updateCount = -1;
            if (statement.execute(sql)) {
                ResultSet results = statement.getResultSet();
                columns = columns(results.getMetaData());
                rows = rows(results, columns.size());
            }
            else {
                updateCount = statement.getLargeUpdateCount();
            }
            Duration wallTime = Duration.ofNanos(System.nanoTime() - start);
            return new QueryResult(requireNonNull(queryId.get(), "no query id"), columns, rows, updateCount, wallTime);
        }
        catch (SQLException e) {
            throw new QueryFailedException(sql, e);
        }
    }

    /** Returns the statistics of a query that has ended. Waits until the engine has collected the last of them. */
    public QueryStatistics statistics(QueryResult query)
    {
        return statistics(query.queryId());
    }

    /** As {@link #statistics(QueryResult)}, of the query with this id. */
    public QueryStatistics statistics(String queryId)
    {
        synchronized (FINAL_STATISTICS) {
            QueryStatistics known = FINAL_STATISTICS.get(queryId);
            if (known != null) {
                return known;
            }
        }
        URI location = coordinator.resolve("/v1/query/" + queryId);
        long deadline = System.nanoTime() + STATISTICS_TIMEOUT.toNanos();
        JsonNode queryInfo = getJson(location);
        while (!queryInfo.path("finalQueryInfo").asBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(String.format(Locale.ROOT, "No final statistics of query %s within %s", queryId,
                        STATISTICS_TIMEOUT));
            }
            pause();
            queryInfo = getJson(location);
        }
        QueryStatistics statistics = QueryStatistics.from(queryInfo);
        synchronized (FINAL_STATISTICS) {
            if (FINAL_STATISTICS.size() >= MEMORIZED_STATISTICS) {
                FINAL_STATISTICS.remove(FINAL_STATISTICS.keySet().iterator().next());
            }
            FINAL_STATISTICS.put(queryId, statistics);
        }
        return statistics;
    }

    private JsonNode getJson(URI location)
    {
        HttpRequest request = HttpRequest.newBuilder(location)
                .timeout(HTTP_TIMEOUT)
                .header("X-Presto-User", USER)
                .build();
        try {
            HttpResponse<byte[]> response = HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IllegalStateException(String.format(Locale.ROOT, "GET %s: status %s", location, response.statusCode()));
            }
            return JSON.readTree(response.body());
        }
        catch (IOException e) {
            throw new UncheckedIOException("GET " + location, e);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted in GET " + location, e);
        }
    }

    private static void pause()
    {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for statistics", e);
        }
    }

    private Connection connect()
            throws SQLException
    {
        Properties properties = new Properties();
        properties.setProperty("user", identity.user());
        String url = String.format(Locale.ROOT, "jdbc:presto://%s:%s/%s/%s", coordinator.getHost(), coordinator.getPort(), catalog, schema);
        PrestoConnection connection = DRIVER.connect(url, properties).unwrap(PrestoConnection.class);
        session.forEach(connection::setSessionProperty);
        identity.timeZone().ifPresent(connection::setTimeZoneId);
        return connection;
    }

    private static List<Column> columns(ResultSetMetaData metadata)
            throws SQLException
    {
        List<Column> columns = new ArrayList<>();
        for (int i = 1; i <= metadata.getColumnCount(); i++) {
            columns.add(new Column(metadata.getColumnLabel(i), metadata.getColumnTypeName(i)));
        }
        return columns;
    }

    private static List<List<@Nullable Object>> rows(ResultSet results, int columns)
            throws SQLException
    {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        while (results.next()) {
            List<@Nullable Object> row = new ArrayList<>(columns);
            for (int i = 1; i <= columns; i++) {
                row.add(results.getObject(i));
            }
            rows.add(Collections.unmodifiableList(row));
        }
        return rows;
    }
}
