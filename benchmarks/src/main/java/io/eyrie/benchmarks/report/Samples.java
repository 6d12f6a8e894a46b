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
 * What was measured of one quantity, a value a repeat for each variant; the repeats of the variants took turns.
 *
 * @param name what was measured, such as a query
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

    /** The values of a variant; empty where it was not measured. */
    List<Double> of(String variant)
    {
        return values.getOrDefault(variant, List.of());
    }

    /** These and one more value of a variant. */
    Samples plus(String variant, double value)
    {
        Map<String, List<Double>> more = new LinkedHashMap<>(values);
        List<Double> repeats = new ArrayList<>(of(variant));
        repeats.add(value);
        more.put(variant, repeats);
        return new Samples(name, metric, unit, more);
    }
}
