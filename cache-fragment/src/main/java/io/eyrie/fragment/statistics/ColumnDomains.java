package io.eyrie.fragment.statistics;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.ValueSet;
import com.facebook.presto.common.type.Type;

import java.util.Optional;
import java.util.OptionalLong;

/** What minimum, maximum and null count of a column say of its values. */
public final class ColumnDomains
{
    private ColumnDomains()
    {}

    /**
     * All that the column may hold.
     *
     * @param min at most the smallest value, in the type's native form, where it is known
     * @param max at least the largest
     * @param nulls how many rows are null, where it is known
     * @param rows how many rows there are, where it is known
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
