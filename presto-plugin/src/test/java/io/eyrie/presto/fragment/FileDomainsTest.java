// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.ValueSet;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.presto.fragment.FileDomains.FileColumn;
import org.junit.jupiter.api.Test;

import java.util.Optional;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static io.airlift.slice.Slices.utf8Slice;
import static org.assertj.core.api.Assertions.assertThat;

class FileDomainsTest
{
    // HDFS has no entity tags: a file that is replaced with its time and length has the same version
    private static final FileColumn COLUMN = new FileColumn(
            new FileVersion(new StoreId("hdfs://store", ""), "hdfs://store/table/file", 10, 1, Optional.empty()), SplitKeysTest.dataColumn("v"),
            false);
    private static final Optional<Domain> BEFORE = domain(1, 5);
    private static final Optional<Domain> AFTER = domain(200, 200);

    private final FileDomains domains = new FileDomains(1 << 20);

    @Test
    void longTextsWeighWhatTheyAre()
    {
        Range range = Range.range(VARCHAR, utf8Slice("a".repeat(1_000_000)), true, utf8Slice("b".repeat(2_000_000)), true);
        assertThat(FileDomains.textBytes(Domain.create(ValueSet.ofRanges(range), true))).isEqualTo(3_000_000);
        assertThat(FileDomains.textBytes(Domain.create(ValueSet.ofRanges(Range.lessThan(BIGINT, 5L)), true))).isZero();
        assertThat(FileDomains.textBytes(Domain.all(VARCHAR))).isZero();
    }

    @Test
    void footerIsReadAgainAfterAnInvalidation()
    {
        assertThat(domains.of(COLUMN, () -> BEFORE)).isEqualTo(BEFORE);
        assertThat(domains.of(COLUMN, () -> AFTER)).as("cached").isEqualTo(BEFORE);
        domains.invalidate(Scope.NONE);
        assertThat(domains.of(COLUMN, () -> AFTER)).isEqualTo(AFTER);
    }

    @Test
    void footerThatIsReadDuringAnInvalidationIsNotCached()
    {
        domains.of(COLUMN, () -> {
            domains.invalidate(Scope.NONE);
            return BEFORE;
        });
        assertThat(domains.of(COLUMN, () -> AFTER)).isEqualTo(AFTER);
    }

    private static Optional<Domain> domain(long low, long high)
    {
        return Optional.of(Domain.create(ValueSet.ofRanges(Range.range(BIGINT, low, true, high, true)), false));
    }
}
