// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Subfield;
import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.HiveBucketing.HiveBucketFilter;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveSplit.BucketConversion;
import com.facebook.presto.hive.HiveStorageFormat;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.TableToPartitionMapping;
import io.eyrie.presto.fragment.SplitKeysTest.QueryOverSplit;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.expressions.LogicalRowExpressions.TRUE_CONSTANT;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests which columns are read for their range, and that the reading skips no rows. */
class SplitRangesTest
{
    @Test
    void columnsOfRowFormatsAreNotRead()
    {
        for (HiveStorageFormat format : List.of(HiveStorageFormat.ORC, HiveStorageFormat.DWRF, HiveStorageFormat.PARQUET)) {
            assertThat(isReadAlone(given -> given.format = format)).as("%s", format).isTrue();
        }
        for (HiveStorageFormat format : List.of(HiveStorageFormat.TEXTFILE, HiveStorageFormat.RCBINARY, HiveStorageFormat.JSON,
                HiveStorageFormat.AVRO)) {
            assertThat(isReadAlone(given -> given.format = format)).as("%s", format).isFalse();
        }
    }

    @Test
    void columnsThatAreNotTheFilesOwnAreNotRead()
    {
        assertThat(isReadAlone(given -> given.mapping = new TableToPartitionMapping(Optional.of(Map.of(0, 1)), Map.of()))).as("mapped").isFalse();
        assertThat(isReadAlone(given -> given.conversion = Optional.of(new BucketConversion(8, 4, List.of(SplitKeysTest.dataColumn("v"))))))
                .as("rows that other buckets read").isFalse();
        assertThat(SplitRanges.isReadAlone(new QueryOverSplit().split(), SplitKeysTest.partitionColumn("ds"))).as("a partition's").isFalse();
        assertThat(SplitRanges.isReadAlone(new QueryOverSplit().split(), new HiveColumnHandle("v", HiveType.HIVE_LONG, BIGINT.getTypeSignature(), 0,
                ColumnType.REGULAR, Optional.empty(), List.of(new Subfield("v.a")), Optional.empty()))).as("a part").isFalse();
    }

    @Test
    void layoutsThatLetRowsOutAreLeftAlone()
    {
        assertThat(SplitRanges.isPlain(layout(given -> {}))).isTrue();
        assertThat(SplitRanges.isPlain(layout(given -> given.pushdownFilter = true))).isFalse();
        assertThat(SplitRanges.isPlain(layout(given -> given.rowNumbers = true))).isFalse();
        assertThat(SplitRanges.isPlain(layout(given -> given.bucketFilter = Optional.of(new HiveBucketFilter(Set.of(1)))))).isFalse();
    }

    @Test
    void layoutOfTheReadingPrunesNothing()
    {
        TupleDomain<Subfield> pruned = TupleDomain.withColumnDomains(Map.of(new Subfield("v"), Domain.singleValue(BIGINT, 3L)));
        EyrieLayoutHandle unconstrained = layout(given -> given.pruned = pruned).unconstrained();
        assertThat(unconstrained.getDomainPredicate()).isEqualTo(TupleDomain.all());
        assertThat(unconstrained.getRemainingPredicate()).isEqualTo(TRUE_CONSTANT);
        assertThat(unconstrained.getFragment()).isEmpty();
    }

    private static boolean isReadAlone(Consumer<QueryOverSplit> change)
    {
        QueryOverSplit given = new QueryOverSplit();
        change.accept(given);
        return SplitRanges.isReadAlone(given.split(), SplitKeysTest.dataColumn("v"));
    }

    private static EyrieLayoutHandle layout(Consumer<QueryOverSplit> change)
    {
        QueryOverSplit given = new QueryOverSplit();
        change.accept(given);
        return given.layout();
    }
}
