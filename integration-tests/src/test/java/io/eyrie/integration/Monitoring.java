// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * The contents of the files in {@code docs/operations}.
 *
 * @param rules the samples that each of the exporter's rules promises, one for each of its alternatives
 * @param alerts name, annotations and expression of each alert rule
 * @param panels the expressions of the dashboard, including those of its variables
 */
record Monitoring(List<List<Promise>> rules, List<Alert> alerts, List<String> panels)
{
    record Promise(String metric, Map<String, String> labels)
    {}

    record Alert(String name, String expression, Map<String, String> annotations)
    {}

    private static final Pattern GROUP = Pattern.compile("(?<!\\\\)\\((?!\\?)(?<body>[^()]*)\\)");

    static Monitoring read(Path directory)
            throws IOException
    {
        List<List<Promise>> rules = maps(yaml(directory.resolve("jmx-exporter.yaml")), "rules").map(Monitoring::promises).toList();
        List<Alert> alerts = maps(yaml(directory.resolve("alerts.yaml")), "groups").flatMap(group -> maps(group, "rules"))
                .map(rule -> new Alert(text(rule, "alert"), text(rule, "expr"), strings(rule, "annotations")))
                .toList();
        // JSON is YAML
        Map<?, ?> dashboard = yaml(directory.resolve("grafana-dashboard.json"));
        Stream<String> panels = maps(dashboard, "panels").filter(panel -> panel.containsKey("targets"))
                .flatMap(panel -> maps(panel, "targets"))
                .map(target -> text(target, "expr"));
        Stream<String> variables = maps((Map<?, ?>) value(dashboard, "templating"), "list").filter(variable -> text(variable, "type").equals("query"))
                .map(variable -> text(variable, "definition"));
        return new Monitoring(rules, alerts, Stream.concat(panels, variables).toList());
    }

    /** Returns all expressions that name metrics. */
    List<String> expressions()
    {
        return Stream.concat(panels.stream(), alerts.stream().map(Alert::expression)).toList();
    }

    /** Returns a sample for each combination of alternatives in a rule's groups, in its name and its labels. */
    private static List<Promise> promises(Map<?, ?> rule)
    {
        List<List<String>> groups = new ArrayList<>();
        Matcher group = GROUP.matcher(text(rule, "pattern"));
        while (group.find()) {
            groups.add(group.group("body").contains("|") ? List.of(group.group("body").split("\\|", -1)) : List.of());
        }
        List<Promise> promises = List.of(new Promise(text(rule, "name"), strings(rule, "labels")));
        for (int i = 0; i < groups.size(); i++) {
            String reference = "$" + (i + 1);
            List<String> alternatives = groups.get(i);
            promises = promises.stream().flatMap(promise -> alternatives.isEmpty()
                    ? Stream.of(without(promise, reference))
                    : alternatives.stream().map(value -> with(promise, reference, value))).toList();
        }
        return promises;
    }

    private static Promise with(Promise promise, String reference, String value)
    {
        Map<String, String> labels = new TreeMap<>();
        promise.labels().forEach((label, text) -> labels.put(label, text.replace(reference, value)));
        return new Promise(promise.metric().replace(reference, value), labels);
    }

    private static Promise without(Promise promise, String reference)
    {
        Map<String, String> labels = new TreeMap<>(promise.labels());
        labels.values().removeIf(reference::equals);
        return new Promise(promise.metric(), labels);
    }

    private static Map<?, ?> yaml(Path file)
            throws IOException
    {
        return requireNonNull((Map<?, ?>) new Yaml().load(Files.readString(file)));
    }

    private static Stream<Map<?, ?>> maps(Map<?, ?> parent, String key)
    {
        return ((List<?>) value(parent, key)).stream().map(child -> (Map<?, ?>) child);
    }

    private static String text(Map<?, ?> parent, String key)
    {
        return (String) value(parent, key);
    }

    private static Map<String, String> strings(Map<?, ?> parent, String key)
    {
        Map<String, String> strings = new TreeMap<>();
        ((Map<?, ?>) value(parent, key)).forEach((name, value) -> strings.put((String) name, (String) value));
        return strings;
    }

    private static Object value(Map<?, ?> parent, String key)
    {
        return requireNonNull(parent.get(key), key);
    }
}
