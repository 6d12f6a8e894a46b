// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyrie.cli.console.ReportedException;
import io.eyrie.cli.console.Words;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static java.util.Objects.requireNonNull;

/**
 * A coordinator, as one user. Runs statements and reads the coordinator's information about queries. A failure is an {@link IOException} or a
 * {@link ReportedException} whose message names the cause. For one thread.
 */
final class PrestoServer
{
    /*
     * Protocol  POST /v1/statement with the SQL, then GET nextUri until there is none, or DELETE it; 503 asks for the same request later
     * Secrets   are sent only to the scheme, host and port that the user named, and only over TLS
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;
    private static final int BUSY = 503;
    private static final int MOST_TRIES = 100;
    private static final int PAUSE_MILLIS = 100;

    private final URI server;
    private final String user;
    private final Optional<String> authorization;
    private final Map<String, String> session;
    private final HttpClient http;

    /**
     * @param server {@code http://host:port} or {@code https://host:port}
     * @param authorization the value of the header of that name
     */
    PrestoServer(URI server, String user, Optional<String> authorization)
    {
        // HTTP/2 needs an upgrade of the open connection, on which the JDK's client and Presto's server sometimes disagree
        this(server, user, authorization, Map.of(), HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build());
    }

    private PrestoServer(URI server, String user, Optional<String> authorization, Map<String, String> session, HttpClient http)
    {
        this.server = requireNonNull(server, "server is null");
        this.user = requireNonNull(user, "user is null");
        this.authorization = requireNonNull(authorization, "authorization is null");
        this.session = Map.copyOf(session);
        this.http = requireNonNull(http, "http is null");
    }

    /** Returns the same coordinator, with headers that describe the session, such as {@code X-Presto-Schema}. */
    PrestoServer with(Map<String, String> headers)
    {
        return new PrestoServer(server, user, authorization, headers, http);
    }

    /** A column of a result, with its type as SQL writes it. */
    record Column(String name, String type)
    {}

    /** The result of a statement; each warning occurs once. */
    record Answer(List<Column> columns, List<JsonNode> rows, Set<String> warnings)
    {}

    /** Runs a statement, and returns the rows of its result. */
    List<JsonNode> rows(String sql)
            throws IOException
    {
        return answer(sql).rows();
    }

    /** Runs a statement. */
    Answer answer(String sql)
            throws IOException
    {
        List<Column> columns = new ArrayList<>();
        List<JsonNode> rows = new ArrayList<>();
        Set<String> warnings = new LinkedHashSet<>();
        pages(sql, page -> {
            page.path("data").forEach(rows::add);
            page.path("warnings").forEach(warning -> warnings.add(warning.path("message").asText()));
            if (columns.isEmpty()) {
                page.path("columns").forEach(column -> columns.add(new Column(column.path("name").asText(), column.path("type").asText())));
            }
            return true;
        });
        return new Answer(columns, rows, warnings);
    }

    /** Receives the pages of a result. */
    @FunctionalInterface
    interface Pages
    {
        /** Receives a page as the protocol's JSON, and returns whether the statement may continue; if not, it is canceled. */
        boolean next(JsonNode page)
                throws IOException;
    }

    /** Runs a statement whose result may be too large for memory. */
    void pages(String sql, Pages pages)
            throws IOException
    {
        JsonNode page = JSON.readTree(send(request(server.resolve("/v1/statement")).POST(BodyPublishers.ofString(sql)).build()).body());
        while (true) {
            boolean wanted = pages.next(page);
            JsonNode error = page.path("error");
            if (!error.isMissingNode()) {
                throw new FailedStatementException("The coordinator refused a statement: " + Words.plain(error.path("message").asText()), error.path(
                        "errorType").asText());
            }
            if (!page.has("nextUri")) {
                return;
            }
            HttpRequest.Builder next = request(sameServer(URI.create(page.path("nextUri").asText())));
            if (!wanted) {
                send(next.DELETE().build());
                return;
            }
            page = JSON.readTree(send(next.build()).body());
        }
    }

    /** Returns the coordinator's information about a query; empty if it no longer has any. */
    Optional<JsonNode> queryInfo(String queryId)
            throws IOException
    {
        HttpResponse<String> response = send(request(server.resolve("/v1/query/" + queryId)).build());
        return response.statusCode() == OK ? Optional.of(JSON.readTree(response.body())) : Optional.empty();
    }

    private URI sameServer(URI next)
    {
        if (authorization.isPresent() && !(next.getScheme().equals(server.getScheme()) && next.getAuthority().equals(server.getAuthority()))) {
            throw new ReportedException("The coordinator refers to " + next.getScheme() + "://" + next.getAuthority()
                    + ", to which your password is not sent: name that address with --server");
        }
        return next;
    }

    private HttpRequest.Builder request(URI uri)
    {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(TIMEOUT)
                .header("X-Presto-User", user)
                .header("X-Presto-Source", "eyrie");
        authorization.ifPresent(value -> request.header("Authorization", value));
        session.forEach(request::setHeader);
        return request;
    }

    private HttpResponse<String> send(HttpRequest request)
            throws IOException
    {
        try {
            for (int tries = 1;; tries++) {
                HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
                int status = response.statusCode();
                if (status == OK || status == NO_CONTENT || ((status == NOT_FOUND || status == GONE) && !request.uri().getPath().startsWith(
                        "/v1/statement"))) {
                    return response;
                }
                if (status == UNAUTHORIZED || status == FORBIDDEN) {
                    throw new ReportedException(String.format(Locale.ROOT,
                            "The coordinator refused user %s (status %s). Give --user, --password or --token-file",
                            user, status));
                }
                if (status != BUSY || tries == MOST_TRIES) {
                    throw new ReportedException(String.format(Locale.ROOT, "%s answered with status %s: is it a Presto coordinator?", request.uri(),
                            status));
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        catch (IOException e) {
            throw new IOException(server + " cannot be reached: " + (e.getMessage() == null ? e.toString() : e.getMessage()), e);
        }
    }
}
