// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.statistics;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.ValueSet;
import com.facebook.presto.common.type.Type;

import java.util.Optional;
import java.util.OptionalLong;

/** Derives the domain of a column from its minimum, maximum, and null count. */
public final class ColumnDomains
{
    private ColumnDomains()
    {}

    /**
     * Returns all values that the column may contain.
     *
     * @param min a lower bound of the values, in the type's native form, if known
     * @param max an upper bound of the values, if known
     * @param nulls the number of null rows, if known
     * @param rows the number of rows, if known
     */
    public static Domain of(Type type, Optional<Object> min, Optional<Object> max, OptionalLong nulls, OptionalLong rows)
    {
        boolean nullAllowed = nulls.isEmpty() || nulls.getAsLong() != 0;
        if (nulls.isPresent() && rows.isPresent() && nulls.getAsLong() == rows.getAsLong()) {
            return rows.getAsLong() == 0 ? Domain.none(type) : Domain.onlyNull(type);
        }
        if (!SplitPredicate.isProvable(type) || (min.isEmpty() && max.isEmpty())) {
            return Domain.create(ValueSet.all(type), nullAllowed);
        }
        Range range = min.isEmpty()
                ? Range.lessThanOrEqual(type, max.orElseThrow())
                : max.map(most -> Range.range(type, min.get(), true, most, true)).orElseGet(() -> Range.greaterThanOrEqual(type, min.get()));
        return Domain.create(ValueSet.ofRanges(range), nullAllowed);
    }
}
