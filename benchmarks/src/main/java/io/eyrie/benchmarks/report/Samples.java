// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/**
 * The measured values of one quantity, one per repeat for each variant; the variants ran in turn.
 *
 * @param name the item that was measured, such as a query
 * @param unit of the values
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record Samples(String name, String metric, String unit, Map<String, List<Double>> values)
{
    Samples
    {
        requireNonNull(name, "name is null");
        requireNonNull(metric, "metric is null");
        requireNonNull(unit, "unit is null");
        Map<String, List<Double>> copy = new LinkedHashMap<>();
        values.forEach((variant, repeats) -> copy.put(variant, List.copyOf(repeats)));
        values = Collections.unmodifiableMap(copy);
    }

    Samples(String name, String metric, String unit)
    {
        this(name, metric, unit, Map.of());
    }

    /** Returns the values of a variant; empty if it was not measured. */
    List<Double> of(String variant)
    {
        return values.getOrDefault(variant, List.of());
    }

    /** Returns these values with one more of a variant. */
    Samples plus(String variant, double value)
    {
        Map<String, List<Double>> more = new LinkedHashMap<>(values);
        List<Double> repeats = new ArrayList<>(of(variant));
        repeats.add(value);
        more.put(variant, repeats);
        return new Samples(name, metric, unit, more);
    }
}
