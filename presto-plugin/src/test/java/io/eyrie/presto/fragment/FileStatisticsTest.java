// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.ValueSet;
import org.junit.jupiter.api.Test;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static io.airlift.slice.Slices.utf8Slice;
import static org.assertj.core.api.Assertions.assertThat;

class FileStatisticsTest
{
    @Test
    void longTextsWeighWhatTheyAre()
    {
        Range range = Range.range(VARCHAR, utf8Slice("a".repeat(1_000_000)), true, utf8Slice("b".repeat(2_000_000)), true);
        assertThat(FileStatistics.textBytes(Domain.create(ValueSet.ofRanges(range), true))).isEqualTo(3_000_000);
        assertThat(FileStatistics.textBytes(Domain.create(ValueSet.ofRanges(Range.lessThan(BIGINT, 5L)), true))).isZero();
        assertThat(FileStatistics.textBytes(Domain.all(VARCHAR))).isZero();
    }
}
