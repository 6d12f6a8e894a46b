// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the form of the Grafana dashboard (docs/operations). {@code MetricsIT} tests its expressions. */
class DashboardTest
{
    private final List<JsonNode> panels;

    DashboardTest()
            throws IOException
    {
        JsonNode dashboard = new ObjectMapper().readTree(Files.readString(Path.of("../docs/operations/grafana-dashboard.json")));
        panels = StreamSupport.stream(dashboard.path("panels").spliterator(), false).toList();
    }

    @Test
    void panelWithoutExplanationOrUnit()
    {
        assertThat(panels).hasSizeGreaterThan(40).extracting(panel -> panel.path("id").asInt()).doesNotHaveDuplicates();
        assertThat(panels).filteredOn(panel -> !panel.path("type").asText().equals("row")).allSatisfy(panel -> {
            assertThat(panel.path("description").asText()).as(panel.path("title").asText()).hasSizeGreaterThan(20);
            assertThat(panel.path("fieldConfig").path("defaults").path("unit").asText()).as(panel.path("title").asText()).isNotEmpty();
        });
    }

    @Test
    void firstScreenIsSavingsAndHealth()
    {
        List<JsonNode> first = panels.stream().filter(panel -> panel.path("gridPos").path("y").asInt() < 9).toList();
        assertThat(first.get(0).path("type").asText()).isEqualTo("row");
        assertThat(first.subList(1, first.size())).hasSizeGreaterThanOrEqualTo(8).allSatisfy(panel -> {
            assertThat(panel.path("type").asText()).isEqualTo("stat");
            assertThat(panel.path("fieldConfig").path("defaults").path("thresholds").path("steps")).as(panel.path("title").asText())
                    .hasSizeGreaterThan(1);
        });
    }

    @Test
    void panelsThatOverlap()
    {
        for (JsonNode panel : panels) {
            assertThat(panels).filteredOn(other -> !other.path("id").equals(panel.path("id")) && overlap(panel.path("gridPos"), other.path(
                    "gridPos"))).as(panel.path("title")
                            .asText())
                    .isEmpty();
        }
    }

    private static boolean overlap(JsonNode a, JsonNode b)
    {
        return within(a, b, "x", "w") && within(a, b, "y", "h");
    }

    private static boolean within(JsonNode a, JsonNode b, String start, String length)
    {
        return a.path(start).asInt() < b.path(start).asInt() + b.path(length).asInt() && b.path(start).asInt() < a.path(start).asInt() + a.path(
                length)
                .asInt();
    }
}
