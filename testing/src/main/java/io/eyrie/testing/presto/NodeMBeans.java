// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.presto;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/** Reads the MBeans of a running Presto process over HTTP. Thread-safe. */
public final class NodeMBeans
{
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI node;
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

    NodeMBeans(URI node)
    {
        this.node = requireNonNull(node, "node is null");
    }

    /** Returns the names of all MBeans. */
    public List<String> names()
    {
        return StreamSupport.stream(get("/v1/jmx/mbean").spliterator(), false).map(bean -> bean.path("objectName").asText()).toList();
    }

    /** Returns all MBeans with their attributes as JSON. */
    public String text()
    {
        return get("/v1/jmx/mbean").toString();
    }

    /** Returns the value of a numeric attribute. */
    public double number(String objectName, String attribute)
    {
        return number(bean(objectName), attribute);
    }

    /** Returns, by name, the value of a numeric attribute of each MBean whose name begins with {@code namePrefix}. One request reads all of them. */
    public Map<String, Double> numbers(String namePrefix, String attribute)
    {
        Map<String, Double> numbers = new TreeMap<>();
        get("/v1/jmx/mbean").forEach(bean -> {
            String name = bean.path("objectName").asText();
            if (name.startsWith(namePrefix)) {
                numbers.put(name, number(bean, attribute));
            }
        });
        return numbers;
    }

    /** Returns the bytes in the process's heap, which include garbage. */
    public double heapUsedBytes()
    {
        return get("/v1/status").path("heapUsed").asDouble();
    }

    private static double number(JsonNode bean, String attribute)
    {
        for (JsonNode candidate : bean.path("attributes")) {
            if (candidate.path("name").asText().equals(attribute)) {
                return Double.parseDouble(candidate.path("value").asText());
            }
        }
        throw new IllegalArgumentException(bean.path("objectName").asText() + " has no attribute " + attribute);
    }

    private JsonNode bean(String objectName)
    {
        // the server accepts no slash in a name, encoded or not
        return objectName.contains("/")
                ? StreamSupport.stream(get("/v1/jmx/mbean").spliterator(), false).filter(bean -> bean.path("objectName").asText().equals(objectName))
                        .findFirst().orElseThrow(() -> new IllegalArgumentException("No MBean " + objectName))
                : get("/v1/jmx/mbean/" + URLEncoder.encode(objectName, UTF_8));
    }

    private JsonNode get(String path)
    {
        URI location = node.resolve(path);
        try {
            HttpResponse<byte[]> response = http.send(
                    HttpRequest.newBuilder(location).timeout(TIMEOUT).header("X-Presto-User", "eyrie").build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IllegalStateException("GET " + location + ": status " + response.statusCode());
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
}
