// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.config.DefaultQuota;
import io.eyrie.cache.config.DefaultQuota.Level;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.policy.EvictionKind;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests a default quota for each schema, table or partition without its own quota. */
final class DefaultQuotaTest
{
    private static final Scope CLICKS = new Scope("hive", "web", "clicks", "");

    private final TestingStore testing = new TestingStore();

    @AfterEach
    void close()
    {
        testing.check();
        testing.close();
    }

    private void restart(Level level, int pages)
    {
        testing.restart(testing.config().toBuilder()
                .evictionPolicy(EvictionKind.LRU)
                .defaultQuota(Optional.of(new DefaultQuota(level, (long) pages * TestingStore.SLOT)))
                .build());
    }

    /** Writes pages of one file for a scope, and returns how many of them are present. */
    private int write(int file, Scope scope, int pages)
    {
        for (int page = 0; page < pages; page++) {
            testing.write(TestingStore.key(file, page), new PageTags(scope, StorageClass.DATA));
        }
        return testing.hits(file, pages);
    }

    @ParameterizedTest
    @CsvSource({"GLOBAL, 0, 0, 0, 3", "SCHEMA, 0, 0, 3, 3", "TABLE, 0, 3, 3, 3", "PARTITION, 3, 3, 3, 3"})
    void scopesOfItsLevelHaveItEach(Level level, int ofPartition, int ofTable, int ofSchema, int ofLast)
    {
        restart(level, 3);
        List<Scope> scopes = List.of(
                new Scope("hive", "web", "clicks", "ds=1"),
                new Scope("hive", "web", "clicks", "ds=2"),
                new Scope("hive", "web", "views", "ds=2"),
                new Scope("hive", "shop", "views", "ds=2"));
        for (int file = 0; file < scopes.size(); file++) {
            assertThat(write(file, scopes.get(file), 4)).isEqualTo(3);
        }
        assertThat(testing.hits(0, 4)).isEqualTo(ofPartition);
        assertThat(testing.hits(1, 4)).isEqualTo(ofTable);
        assertThat(testing.hits(2, 4)).isEqualTo(ofSchema);
        assertThat(testing.hits(3, 4)).isEqualTo(ofLast);
    }

    @Test
    void quotaOfItsOwnTakesItsPlace()
    {
        restart(Level.TABLE, 3);
        testing.setQuota(CLICKS, 5 * TestingStore.SLOT);
        assertThat(write(1, CLICKS, 8)).isEqualTo(5);
        testing.removeQuota(CLICKS);
        assertThat(testing.hits(1, 8)).isEqualTo(3);
    }

    @Test
    void outerQuotaHoldsBesideIt()
    {
        restart(Level.TABLE, 3);
        testing.setQuota(new Scope("hive", "web", "", ""), 4 * TestingStore.SLOT);
        assertThat(write(1, CLICKS, 8)).isEqualTo(3);
        int views = write(2, new Scope("hive", "web", "views", ""), 8);
        assertThat(views).isBetween(1, 3);
        assertThat(testing.hits(1, 8)).isLessThanOrEqualTo(4 - views);
    }

    @Test
    void anotherOneAtTheNextStartHoldsForWhatIsThere()
    {
        restart(Level.TABLE, 6);
        assertThat(write(1, CLICKS, 8)).isEqualTo(6);
        restart(Level.SCHEMA, 2);
        assertThat(testing.hits(1, 8)).isEqualTo(2);
        testing.restart(testing.config().toBuilder().defaultQuota(Optional.empty()).build());
        assertThat(write(1, CLICKS, 8)).isEqualTo(8);
    }

    @Test
    void partitionsThatComeAndGoLeaveNothingBehind()
    {
        restart(Level.PARTITION, 3);
        long[] memory = new long[2];
        for (int round = 0; round < 2; round++) {
            for (int file = 0; file < 3000; file++) {
                assertThat(write(file, new Scope("hive", "web", "clicks", "ds=" + file + "/round=" + round), 1)).isEqualTo(1);
            }
            int last = round;
            testing.store().directories().forEach(directory -> requireNonNull(directory.table()).inspect(space -> memory[last] = space.eviction()
                    .memoryBytes()));
        }
        assertThat(memory[1]).isEqualTo(memory[0]);
    }
}
