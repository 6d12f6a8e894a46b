// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.common.type.DateTimeEncoding;
import com.facebook.presto.common.type.TimeZoneKey;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import org.junit.jupiter.api.Test;

import static com.facebook.presto.common.function.OperatorType.GREATER_THAN;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.TimestampType.TIMESTAMP;
import static com.facebook.presto.common.type.TimestampWithTimeZoneType.TIMESTAMP_WITH_TIME_ZONE;
import static com.facebook.presto.sql.relational.Expressions.constant;
import static io.eyrie.fragment.TestingLeaves.compare;
import static io.eyrie.fragment.TestingLeaves.filter;
import static io.eyrie.fragment.TestingLeaves.leaf;
import static io.eyrie.fragment.TestingLeaves.scan;
import static io.eyrie.fragment.TestingLeaves.variable;
import static org.assertj.core.api.Assertions.assertThat;

final class ClockConstantsTest
{
    private static final long START = 1_700_000_000_123L;
    private static final long THREE_DAYS = 3 * 86_400_000L;

    @Test
    void threeDaysAgoFollowsTheClock()
    {
        assertThat(follows(variable("t", TIMESTAMP), constant(START - THREE_DAYS, TIMESTAMP))).isTrue();
        long zoned = DateTimeEncoding.packDateTimeWithZone(START - THREE_DAYS, TimeZoneKey.UTC_KEY);
        assertThat(follows(variable("t", TIMESTAMP_WITH_TIME_ZONE), constant(zoned, TIMESTAMP_WITH_TIME_ZONE))).isTrue();
    }

    @Test
    void dayAndNumberDoNot()
    {
        assertThat(follows(variable("t", TIMESTAMP), constant(START - START % 86_400_000, TIMESTAMP))).isFalse();
        assertThat(follows(variable("n", BIGINT), constant(START, BIGINT))).isFalse();
    }

    @Test
    void conjunctIsToldFromTheOthersOfItsLeaf()
    {
        VariableReferenceExpression time = variable("t", TIMESTAMP);
        assertThat(ClockConstants.in(compare(GREATER_THAN, time, constant(START - THREE_DAYS, TIMESTAMP)), START)).isTrue();
        assertThat(ClockConstants.in(compare(GREATER_THAN, time, constant(START - START % 86_400_000, TIMESTAMP)), START)).isFalse();
    }

    @Test
    void aSessionThatBeginsAtAWholeSecondIsComparedByMinutes()
    {
        long start = START - START % 60_000 + 7_000;
        VariableReferenceExpression time = variable("time", TIMESTAMP);
        assertThat(ClockConstants.in(compare(GREATER_THAN, time, constant(start - THREE_DAYS, TIMESTAMP)), start)).isTrue();
        assertThat(ClockConstants.in(compare(GREATER_THAN, time, constant(start - 2_000, TIMESTAMP)), start)).isFalse();
        long minute = start - 7_000;
        assertThat(ClockConstants.in(compare(GREATER_THAN, time, constant(minute - THREE_DAYS, TIMESTAMP)), minute)).isFalse();
    }

    private static boolean follows(VariableReferenceExpression column, RowExpression constant)
    {
        return ClockConstants.in(leaf(filter(scan(column), compare(GREATER_THAN, column, constant))), START);
    }
}
