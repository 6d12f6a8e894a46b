// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.LongArrayBlock;
import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.common.type.TypeManager;
import com.facebook.presto.hive.BucketFunctionType;
import com.facebook.presto.hive.HiveBucketProperty;
import com.facebook.presto.hive.HiveBucketing;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.SplitContext;
import io.airlift.slice.Slices;
import io.eyrie.presto.fragment.SplitKeysTest.QueryOverSplit;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/** Which splits a dynamic filter excludes by their partition or bucket. The split is of partition {@code ds=2021-01-01}. */
final class ExcludedSplitsTest
{
    private static final int BUCKETS = 8;

    private final QueryOverSplit given = new QueryOverSplit();
    private final ExcludedSplits excluded = new ExcludedSplits(
            (TypeManager) Proxy.newProxyInstance(ExcludedSplitsTest.class.getClassLoader(), new Class<?>[] {TypeManager.class}, (proxy, method,
                    arguments) -> VARCHAR),
            new HiveClientConfig());

    private boolean isExcluded(TupleDomain<ColumnHandle> filter)
    {
        return excluded.isExcluded(given.session(), given.split(), given.layout(), new SplitContext(true, filter));
    }

    private static TupleDomain<ColumnHandle> filter(ColumnHandle column, Domain domain)
    {
        return TupleDomain.withColumnDomains(Map.of(column, domain));
    }

    private static TupleDomain<ColumnHandle> onBucketColumn(long... values)
    {
        return filter(SplitKeysTest.dataColumn("v"), Domain.multipleValues(BIGINT, Arrays.stream(values).boxed().toList()));
    }

    private static int bucketOf(long value)
    {
        Page page = new Page(new LongArrayBlock(1, Optional.empty(), new long[] {value}));
        return HiveBucketing.getHiveBucket(BUCKETS, List.of(HiveType.HIVE_LONG.getTypeInfo()), page, 0, false);
    }

    private void readBucket(int bucket)
    {
        given.bucketProperty = Optional.of(new HiveBucketProperty(List.of("v"), BUCKETS, List.of(), BucketFunctionType.HIVE_COMPATIBLE,
                Optional.empty()));
        given.readBucket = OptionalInt.of(bucket);
    }

    @Test
    void nothingIsExcludedWithoutAFilter()
    {
        assertThat(excluded.isExcluded(given.session(), given.split(), given.layout(), new SplitContext(true))).isFalse();
        assertThat(isExcluded(TupleDomain.all())).isFalse();
    }

    @Test
    void filterWithoutValuesExcludesEverySplit()
    {
        assertThat(isExcluded(TupleDomain.none())).isTrue();
    }

    @Test
    void partitionOutsideTheFilterIsExcluded()
    {
        assertThat(isExcluded(filter(SplitKeysTest.partitionColumn("ds"), Domain.singleValue(VARCHAR, Slices.utf8Slice("2021-01-01"))))).isFalse();
        assertThat(isExcluded(filter(SplitKeysTest.partitionColumn("ds"), Domain.singleValue(VARCHAR, Slices.utf8Slice("2021-01-02"))))).isTrue();
    }

    @Test
    void bucketsWithoutAValueOfTheFilterAreExcluded()
    {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            readBucket(bucket);
            assertThat(isExcluded(onBucketColumn(7))).as("bucket %s", bucket).isEqualTo(bucket != bucketOf(7));
            assertThat(isExcluded(onBucketColumn(7, 12))).as("bucket %s", bucket).isEqualTo(bucket != bucketOf(7) && bucket != bucketOf(12));
        }
        assertThat(bucketOf(7)).isNotEqualTo(bucketOf(12));
    }

    @Test
    void bucketIsNotExcludedByOtherColumnsOrRanges()
    {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            readBucket(bucket);
            assertThat(isExcluded(filter(SplitKeysTest.dataColumn("w"), Domain.singleValue(BIGINT, 7L)))).isFalse();
            assertThat(isExcluded(filter(SplitKeysTest.dataColumn("v"), Domain.notNull(BIGINT)))).isFalse();
        }
    }

    @Test
    void splitThatIsNotReadByBucketIsNotExcluded()
    {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            readBucket(bucket);
            given.readBucket = OptionalInt.empty();
            assertThat(isExcluded(onBucketColumn(7))).isFalse();
        }
        // a partition without buckets, in a table that has them
        given.readBucket = OptionalInt.of(0);
        given.bucketProperty = Optional.empty();
        assertThat(isExcluded(onBucketColumn(7))).isFalse();
    }
}
