// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.Readers;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests that others use a table while its snapshot is written. */
final class SnapshotTest
{
    private final TestingStore testing = new TestingStore();

    @AfterEach
    void checkAndClose()
    {
        testing.check();
        testing.close();
    }

    @Test
    void noRecordIsWrittenUnderTheLock()
    {
        for (int page = 0; page < 10; page++) {
            PageTags tags = new PageTags(new Scope("hive", "web", "clicks", "ds=" + page), StorageClass.RESULT);
            assertThat(testing.write(TestingStore.key(page, 0), tags)).isEqualTo(WriteOutcome.STORED);
        }
        testing.setQuota(new Scope("hive", "web", "", ""), 1 << 20);
        PageTable table = requireNonNull(testing.store().directories().get(0).table());
        Set<Byte> kinds = new HashSet<>();
        table.snapshot(record -> {
            if (kinds.add(record.get(0))) {
                assertThat(Readers.start(() -> table.remove(kinds.size()))).as("a change during a record of kind %s", record.get(0))
                        .succeedsWithin(20, TimeUnit.SECONDS);
            }
            return true;
        });
        assertThat(kinds).containsExactlyInAnyOrder(Records.SEGMENT, Records.SCOPE, Records.QUOTA, Records.PAGE);
    }
}
