// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The output of the exporters of a cluster's nodes at one moment. */
record Scrape(List<Sample> samples)
{
    record Sample(String metric, Map<String, String> labels, double value)
    {}

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Pattern LINE = Pattern.compile("(?<metric>\\w+)(\\{(?<labels>.*)\\})? (?<value>\\S+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    /** Reads each port's exporter, and drops the JVM's own metrics. */
    static Scrape of(int... ports)
            throws IOException
    {
        List<Sample> samples = new ArrayList<>();
        for (int port : ports) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).timeout(TIMEOUT).build();
            try {
                HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
                response.body().lines().filter(line -> line.startsWith("eyrie_")).map(Scrape::sample).forEach(samples::add);
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("Interrupted", e);
            }
        }
        return new Scrape(samples);
    }

    private static Sample sample(String line)
    {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw new IllegalArgumentException(line);
        }
        Map<String, String> labels = new TreeMap<>();
        String text = parts.group("labels");
        LABEL.matcher(text == null ? "" : text).results().forEach(label -> labels.put(label.group(1), label.group(2)));
        return new Sample(parts.group("metric"), labels, Double.parseDouble(parts.group("value")));
    }

    /** Returns the samples that have at least these labels. */
    Stream<Sample> of(String metric, Map<String, String> labels)
    {
        return samples.stream().filter(sample -> sample.metric().equals(metric) && sample.labels().entrySet().containsAll(labels.entrySet()));
    }

    double sum(String metric, Map<String, String> labels)
    {
        return of(metric, labels).mapToDouble(Sample::value).sum();
    }

    Set<String> metrics()
    {
        return samples.stream().map(Sample::metric).collect(Collectors.toSet());
    }
}
