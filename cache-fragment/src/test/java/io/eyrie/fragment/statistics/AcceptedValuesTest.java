// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.statistics;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.ValueSet;
import com.facebook.presto.common.type.Type;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static io.airlift.slice.Slices.utf8Slice;
import static org.assertj.core.api.Assertions.assertThat;

final class AcceptedValuesTest
{
    /* Few different values, so that ranges touch, overlap and contain each other. */
    @Property(tries = 20_000)
    void answersAreThoseOfDomains(@ForAll long seed)
    {
        Random random = new Random(seed);
        Type type = random.nextBoolean() ? BIGINT : VARCHAR;
        Domain accepted = domain(type, random);
        Domain other = domain(type, random);
        AcceptedValues values = new AcceptedValues(accepted);
        assertThat(values.overlaps(other)).as("%s overlaps %s", accepted.getValues(), other.getValues()).isEqualTo(accepted.overlaps(other));
        assertThat(values.contains(other)).as("%s contains %s", accepted.getValues(), other.getValues()).isEqualTo(accepted.contains(other));
    }

    private static Domain domain(Type type, Random random)
    {
        List<Range> ranges = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            int at = random.nextInt(12);
            int width = random.nextInt(4);
            Object low = value(type, at);
            ranges.add(switch (random.nextInt(24)) {
                case 0 -> Range.all(type);
                case 1 -> Range.lessThan(type, low);
                case 2 -> Range.lessThanOrEqual(type, low);
                case 3 -> Range.greaterThan(type, low);
                case 4 -> Range.greaterThanOrEqual(type, low);
                default -> width == 0
                        ? Range.equal(type, low)
                        : Range.range(type, low, random.nextBoolean(), value(type, at + width), random.nextBoolean());
            });
        }
        return Domain.create(ranges.isEmpty() ? ValueSet.none(type) : ValueSet.ofRanges(ranges), random.nextInt(3) == 0);
    }

    private static Object value(Type type, int number)
    {
        return type == BIGINT ? (Object) (long) number : utf8Slice(String.valueOf((char) ('a' + number)));
    }
}
