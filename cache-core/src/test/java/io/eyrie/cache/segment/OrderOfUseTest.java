// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests what counts as a read, and how long the order of reads is retained. */
final class OrderOfUseTest
{
    private final TestingStore testing = new TestingStore(TestingStore.config(TestingStore.A).evictionPolicy(EvictionKind.LRU).build());

    @AfterEach
    void close()
    {
        testing.check();
        testing.close();
    }

    private void fill(int pages)
    {
        for (int page = 0; page < pages; page++) {
            assertThat(testing.write(TestingStore.key(1, page))).isEqualTo(WriteOutcome.STORED);
        }
    }

    @Test
    void whatWasReadLastStaysOverARestart()
    {
        fill(16);
        for (int page = 0; page < 4; page++) {
            assertThat(testing.read(TestingStore.key(1, page))).isEqualTo(ReadOutcome.HIT);
        }
        // no record contains the reads
        testing.restart(testing.config().toBuilder().capacityBytes(4 * TestingStore.SLOT).build());
        assertThat(testing.hits(1, 4)).isEqualTo(4);
    }

    @Test
    void pageThatGetsAnotherGranuleCountsAsReadNow()
    {
        PageKey first = TestingStore.key(1, 0);
        ByteBuffer content = ByteBuffer.wrap(TestingStore.content(first));
        for (int granule = 0; granule < 2; granule++) {
            ByteBuffer bytes = content.slice(granule * TestingStore.GRANULE, TestingStore.GRANULE);
            assertThat(testing.store().write(first, TestingStore.TAGS, TestingStore.PAGE, granule * TestingStore.GRANULE, bytes, testing.store()
                    .epoch()))
                    .isEqualTo(WriteOutcome.STORED);
            for (int page = 1; page < 16; page++) {
                assertThat(testing.write(TestingStore.key(2 + granule, page))).isEqualTo(WriteOutcome.STORED);
            }
        }
        assertThat(testing.store().presentGranules(first, 0)).isEqualTo(3);
    }
}
