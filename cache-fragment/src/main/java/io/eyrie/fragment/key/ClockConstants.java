// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.common.type.DateTimeEncoding;
import com.facebook.presto.common.type.TimestampType;
import com.facebook.presto.common.type.TimestampWithTimeZoneType;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.RowExpression;
import io.eyrie.fragment.leaf.Leaf;

import java.util.stream.Stream;

/**
 * Detects leaves, and conjuncts, with a constant that follows the clock, such as {@code now() - INTERVAL '3' DAY}. The next query has another
 * constant, so a cached result would never be used again. A wrong answer costs speed, never correctness.
 */
public final class ClockConstants
{
    private static final long SECOND_MILLIS = 1000;
    private static final long MINUTE_MILLIS = 60_000;

    private ClockConstants()
    {}

    /**
     * Whether a constant lies a whole number of seconds from {@code startMillis}, the beginning of the session. One session in a thousand begins at a
     * whole second, as most constants that users write: there, whether it lies a whole number of minutes from it.
     */
    public static boolean in(Leaf leaf, long startMillis)
    {
        return Stream.concat(leaf.conjuncts().stream(), leaf.values()).anyMatch(expression -> in(expression, startMillis));
    }

    /** The same test for one expression. */
    public static boolean in(RowExpression expression, long startMillis)
    {
        if (expression instanceof ConstantExpression constant && constant.getValue() instanceof Long value) {
            if (constant.getType() instanceof TimestampType) {
                return follows(value, startMillis);
            }
            if (constant.getType() instanceof TimestampWithTimeZoneType) {
                return follows(DateTimeEncoding.unpackMillisUtc(value), startMillis);
            }
        }
        return expression.getChildren().stream().anyMatch(child -> in(child, startMillis));
    }

    private static boolean follows(long millis, long startMillis)
    {
        long unit = startMillis % SECOND_MILLIS == 0 ? MINUTE_MILLIS : SECOND_MILLIS;
        return startMillis % unit != 0 && Math.floorMod(millis - startMillis, unit) == 0;
    }
}
