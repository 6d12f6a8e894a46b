// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A store that lists objects with or without S3's features. An object whose key contains {@code glacier} has that storage class. */
final class TestingS3
        implements AutoCloseable
{
    private static final int PAGE = 1_000;

    private final NavigableMap<String, Integer> sizes = new TreeMap<>(KeyPage::compareKeys);
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger starts = new AtomicInteger();
    private final HttpServer server;
    private volatile Start start = Start.KNOWN;

    /** How the store treats {@code start-after}. */
    enum Start
    {
        KNOWN, IGNORED, DENIED
    }

    TestingS3()
    {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    String endpoint()
    {
        return "http://localhost:" + server.getAddress().getPort();
    }

    void put(String key, int size)
    {
        sizes.put(key, size);
    }

    void startIs(Start start)
    {
        this.start = start;
    }

    /** Returns the number of requests so far. */
    int requests()
    {
        return requests.get();
    }

    /** Returns how many of them requested keys after another key. */
    int starts()
    {
        return starts.get();
    }

    @Override
    public void close()
    {
        server.stop(0);
    }

    private void answer(HttpExchange exchange)
            throws IOException
    {
        try (exchange) {
            requests.incrementAndGet();
            Map<String, String> parameters = parameters(exchange.getRequestURI());
            boolean started = parameters.containsKey("start-after");
            if (started) {
                starts.incrementAndGet();
            }
            boolean denied = started && start == Start.DENIED;
            byte[] body = (denied ? "<Error><Code>AccessDenied</Code></Error>" : listing(parameters)).getBytes(UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/xml");
            exchange.sendResponseHeaders(denied ? 403 : 200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private String listing(Map<String, String> parameters)
    {
        String prefix = parameters.getOrDefault("prefix", "");
        String after = start == Start.KNOWN ? parameters.getOrDefault("start-after", "") : "";
        String last = parameters.getOrDefault("continuation-token", after);
        StringBuilder contents = new StringBuilder();
        StringBuilder prefixes = new StringBuilder();
        String nested = null;
        int count = 0;
        for (String key : sizes.tailMap(last, false).keySet()) {
            if (!key.startsWith(prefix) || (nested != null && key.startsWith(nested))) {
                continue;
            }
            if (count == PAGE) {
                return result(true, "<NextContinuationToken>" + last + "</NextContinuationToken>" + contents + prefixes);
            }
            int slash = key.indexOf('/', prefix.length());
            if (parameters.containsKey("delimiter") && slash >= 0) {
                nested = key.substring(0, slash + 1);
                prefixes.append("<CommonPrefixes><Prefix>").append(escaped(nested)).append("</Prefix></CommonPrefixes>");
                last = nested + '\uFFFF';
            }
            else {
                contents.append(content(key));
                last = key;
            }
            count++;
        }
        return result(false, contents.toString() + prefixes);
    }

    private String content(String key)
    {
        return "<Contents><Key>" + escaped(key) + "</Key><LastModified>2026-01-0" + (1 + key.length() % 9)
                + "T00:00:00.000Z</LastModified><ETag>&quot;"
                + Integer.toHexString(key.hashCode()) + "&quot;</ETag><Size>" + sizes.get(key) + "</Size><StorageClass>"
                + (key.contains("glacier") ? "GLACIER" : "STANDARD") + "</StorageClass></Contents>";
    }

    private static String result(boolean truncated, String inner)
    {
        return "<ListBucketResult><IsTruncated>" + truncated + "</IsTruncated>" + inner + "</ListBucketResult>";
    }

    private static String escaped(String key)
    {
        return key.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static Map<String, String> parameters(URI uri)
    {
        Map<String, String> parameters = new HashMap<>();
        for (String parameter : List.of(uri.getRawQuery().split("&", -1))) {
            int equals = parameter.indexOf('=');
            parameters.put(parameter.substring(0, equals), URLDecoder.decode(parameter.substring(equals + 1), UTF_8));
        }
        return parameters;
    }
}
