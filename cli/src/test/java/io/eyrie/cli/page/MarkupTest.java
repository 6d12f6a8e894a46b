// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.page;

import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;

class MarkupTest
{
    @Test
    void textsAndAttributesAreEscaped()
    {
        Markup markup = new Markup().open("g", "id", "a \"b\"").text("text", "1 < 2 & \u0001", "x", 1.25, "y", 3).empty("line").close();
        assertThat(markup).hasToString("""
                <g id="a &quot;b&quot;">
                <text x="1.3" y="3">1 &lt; 2 &amp; ?</text>
                <line/>
                </g>
                """);
    }

    @Test
    void linesOfAChartCoverItsWidthAndHeight()
    {
        LineChart chart = new LineChart(
                "t",
                100,
                value -> Integer.toString((int) value),
                place -> place + " B",
                Map.of("one", new TreeMap<>(Map.of(10L, 0.0, 100L, 50.0, 1000L, 100.0))));
        assertThat(chart.svg().toString())
                .contains("points=\"75.0,270.0 305.0,157.5 535.0,45.0\"")
                .contains(">10 B<", ">100 B<", ">1000 B<", ">0<", ">25<", ">100<", ">one<");
    }

    @Test
    void chartOfOneQuantityWithoutValuesIsFinite()
    {
        LineChart chart = new LineChart("t", 0, Double::toString, Long::toString, Map.of("one", new TreeMap<>(Map.of(7L, 0.0))));
        assertThat(chart.svg().toString()).contains("points=\"305.0,270.0\"").doesNotContain("NaN");
    }
}
