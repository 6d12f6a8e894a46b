// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests pinned pages, which are not evicted for others. The store has capacity for 16 pages. */
final class PinsTest
{
    private static final Scope PINNED = new Scope("hive", "web", "clicks", "");
    private static final Scope OTHER = new Scope("hive", "shop", "orders", "");
    private static final int ROOM = 16;

    private final TestingStore testing = new TestingStore(TestingStore.config(TestingStore.A).evictionPolicy(EvictionKind.LRU).build());

    @AfterEach
    void close()
    {
        testing.check();
        testing.close();
    }

    private void write(int file, Scope scope, int pages)
    {
        for (int page = 0; page < pages; page++) {
            testing.write(TestingStore.key(file, page), new PageTags(scope, StorageClass.DATA));
        }
    }

    @Test
    void pinnedPagesStayWhileOthersComeAndGo()
    {
        testing.store().setPins(Set.of(PINNED));
        write(1, PINNED, 10);
        write(2, OTHER, 100);
        assertThat(testing.hits(1, 10)).isEqualTo(10);
        assertThat(testing.hits(2, 100)).isEqualTo(ROOM - 10);
    }

    @Test
    void whatIsThereAlreadyIsPinnedAndReleased()
    {
        write(1, PINNED, 10);
        testing.store().setPins(Set.of(new Scope("hive", "web", "", "")));
        write(2, OTHER, 100);
        assertThat(testing.hits(1, 10)).isEqualTo(10);
        testing.store().setPins(Set.of());
        write(3, OTHER, 100);
        assertThat(testing.hits(1, 10)).isLessThan(10);
    }

    @ParameterizedTest
    @EnumSource(StorageClass.class)
    void whenEverythingIsPinnedNothingMoreIsKept(StorageClass storageClass)
    {
        testing.store().setPins(Set.of(PINNED));
        write(1, PINNED, ROOM + 4);
        assertThat(testing.hits(1, ROOM)).isEqualTo(ROOM);
        assertThat(testing.write(TestingStore.key(2, 0), new PageTags(OTHER, storageClass))).isNotEqualTo(WriteOutcome.STORED);
        assertThat(testing.store().stats().evictions()).isZero();
    }

    @Test
    void smallerCapacityAndQuotaTakePinnedPagesTooAndLast()
    {
        testing.store().setPins(Set.of(PINNED));
        write(1, PINNED, 8);
        write(2, OTHER, 8);
        testing.store().resize(8L * TestingStore.SLOT);
        testing.store().tend();
        assertThat(testing.hits(2, 8)).isZero();
        int left = testing.hits(1, 8);
        assertThat(left).isPositive();
        testing.setQuota(PINNED, 2L * TestingStore.SLOT);
        assertThat(testing.hits(1, 8)).isLessThanOrEqualTo(2);
    }

    @Test
    void pinsAreForgottenAtARestartAndThePagesAreNot()
    {
        testing.store().setPins(Set.of(PINNED));
        write(1, PINNED, 10);
        testing.restart();
        assertThat(testing.hits(1, 10)).isEqualTo(10);
        testing.store().setPins(Set.of(PINNED));
        write(2, OTHER, 100);
        assertThat(testing.hits(1, 10)).isEqualTo(10);
    }
}
