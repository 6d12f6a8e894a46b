// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A coordinator that gives scripted answers, in their order, and records the requests. */
final class TestingCoordinator
        implements AutoCloseable
{
    private final HttpServer server;
    private final Deque<Answer> answers = new ArrayDeque<>();
    private final List<String> requests = new ArrayList<>();

    private record Answer(int status, String body)
    {}

    TestingCoordinator()
            throws IOException
    {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Adds an answer, in which {@code $server} stands for the address. */
    TestingCoordinator answer(int status, String body)
    {
        answers.add(new Answer(status, body.replace("$server", address())));
        return this;
    }

    String address()
    {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Returns the method, path, user and body of each request. */
    synchronized List<String> requests()
    {
        return List.copyOf(requests);
    }

    private synchronized void answer(HttpExchange exchange)
            throws IOException
    {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + exchange.getRequestHeaders().getFirst("X-Presto-User")
                + (body.isEmpty() ? "" : " " + body));
        Answer answer = answers.isEmpty() ? new Answer(500, "not scripted") : answers.remove();
        byte[] bytes = answer.body.getBytes(UTF_8);
        exchange.sendResponseHeaders(answer.status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close()
    {
        server.stop(0);
    }
}
