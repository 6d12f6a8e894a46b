// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.hive.metastore.Column;
import io.airlift.slice.Slice;

import java.util.Map;

/** The predicates over partition columns that selected partition names. */
public record Predicates(Map<Column, Domain> domains)
{
    static final int MOST_VALUES = 1_000;

    private static final long VALUE_BYTES = 150; // a range with its markers and their blocks

    public Predicates
    {
        domains = Map.copyOf(domains);
    }

    /** Whether there are too many values and ranges for a key. */
    public boolean isLong()
    {
        return domains.values().stream().mapToLong(Predicates::values).sum() > MOST_VALUES;
    }

    /** Returns their estimated size. */
    long bytes()
    {
        return domains.values().stream().mapToLong(domain -> VALUE_BYTES * values(domain) + texts(domain)).sum();
    }

    private static long values(Domain domain)
    {
        return domain.getValues().getValuesProcessor().<Integer>transform(ranges -> ranges.getRangeCount(), discrete -> discrete.getValues().size(),
                any -> 1);
    }

    private static long texts(Domain domain)
    {
        return domain.getValues().getValuesProcessor().<Long>transform(
                ranges -> ranges.getOrderedRanges().stream().mapToLong(Predicates::texts).sum(),
                discrete -> discrete.getValues().stream().mapToLong(Predicates::text).sum(),
                any -> 0L);
    }

    private static long texts(Range range)
    {
        return range.getLowValue().map(Predicates::text).orElse(0L) + range.getHighValue().map(Predicates::text).orElse(0L);
    }

    private static long text(Object value)
    {
        return value instanceof Slice slice ? slice.length() : 0;
    }
}
