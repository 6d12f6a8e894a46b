// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.presto;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** Asks Presto processes over HTTP about their own state and each other's. If a process does not answer, the result is false. */
final class CoordinatorProbe
{
    /*
     * The failure detector looks for new processes every five seconds and considers each failed until its first answer. It does not notice that a new
     * process has a worker's old address; the age of its entries shows this.
     */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(1);
    private static final Pattern AGE = Pattern.compile("([0-9.]+)(ns|us|ms|s|m|h|d)");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

    /** Returns whether the node has loaded its catalogs and answers. */
    boolean isUp(PrestoNode node)
    {
        return get(node.uri().resolve("/v1/info"))
                .filter(info -> !info.path("starting").asBoolean(true))
                .isPresent();
    }

    /** Returns whether the coordinator's failure detector watches the worker's running process and does not consider it failed. */
    boolean isSound(PrestoNode coordinator, PrestoNode worker)
    {
        Optional<JsonNode> watched = get(coordinator.uri().resolve("/v1/node"));
        Optional<JsonNode> failed = get(coordinator.uri().resolve("/v1/node/failed"));
        return watched.isPresent() && failed.isPresent() && mentions(watched.get(), worker) && !mentions(failed.get(), worker);
    }

    private static boolean mentions(JsonNode entries, PrestoNode worker)
    {
        Duration oldest = worker.processAge().minus(CLOCK_TOLERANCE);
        String prefix = worker.uri() + "/";
        return StreamSupport.stream(entries.spliterator(), false)
                .filter(entry -> entry.path("uri").asText().startsWith(prefix))
                .anyMatch(entry -> age(entry.path("age").asText()).compareTo(oldest) < 0);
    }

    /** Parses a duration in airlift's format, such as {@code 1.53m}. */
    static Duration age(String text)
    {
        Matcher matcher = AGE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("Not a duration: " + text);
        }
        double nanos = switch (matcher.group(2)) {
            case "ns" -> 1;
            case "us" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "m" -> 60e9;
            case "h" -> 3600e9;
            default -> 86400e9;
        };
        return Duration.ofNanos((long) (Double.parseDouble(matcher.group(1)) * nanos));
    }

    private Optional<JsonNode> get(URI location)
    {
        try {
            HttpResponse<byte[]> response = http.send(
                    HttpRequest.newBuilder(location).timeout(TIMEOUT).header("X-Presto-User", "eyrie").build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            return response.statusCode() == 200 ? Optional.of(JSON.readTree(response.body())) : Optional.empty();
        }
        catch (IOException e) {
            return Optional.empty();
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PrestoStartException("Interrupted while asking " + location, e);
        }
    }
}
