// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class SubjectTest
{
    private static final List<String> VALUES = List.of("2026-11-29");

    @Test
    void versionsAreReadWhileAnotherThreadHasTheLock()
            throws Exception
    {
        Subject subject = new Subject("db", "t", () -> 7, () -> {});
        synchronized (subject) {
            assertThat(CompletableFuture.supplyAsync(() -> subject.partitionVersion(VALUES)).get(30, TimeUnit.SECONDS)).isEqualTo(7);
        }
    }

    @Test
    void aVersionDoesNotReturnWhenTheChangedPartitionsAreCleared()
    {
        AtomicLong versions = new AtomicLong();
        AtomicInteger cleared = new AtomicInteger();
        Subject subject = new Subject("db", "t", versions::incrementAndGet, cleared::incrementAndGet);
        CompletableFuture<Long> changes = CompletableFuture.supplyAsync(() -> {
            for (int i = 0; cleared.get() < 10; i++) {
                subject.foundChanged(i % 1000 == 0 ? VALUES : List.of(Integer.toString(i)));
            }
            return subject.partitionVersion(VALUES);
        });
        long last = 0;
        while (!changes.isDone()) {
            long version = subject.partitionVersion(VALUES);
            assertThat(version).isGreaterThanOrEqualTo(last);
            last = version;
        }
        assertThat(changes.join()).as("the version of the cleared partitions").isGreaterThanOrEqualTo(last);
    }

    @Test
    void changedPartitionsOfAnEndedSubjectAreNotRemembered()
    {
        AtomicLong versions = new AtomicLong();
        Subject subject = new Subject("db", "t", versions::incrementAndGet, () -> {});
        assertThat(subject.partitionsChanged(List.of(VALUES, VALUES, List.of("other")), false, true, key -> {})).isEqualTo(2);
        assertThat(subject.foundChanged(VALUES)).isZero();
        assertThat(subject.changedPartitions()).isEqualTo(2);
        long before = subject.partitionVersion(VALUES);
        long unused = subject.end();
        long ended = subject.partitionVersion(VALUES);
        assertThat(ended).isGreaterThan(before);
        assertThat(subject.foundChanged(VALUES)).isZero();
        assertThat(subject.partitionsChanged(List.of(VALUES), false, true, key -> {})).isZero();
        assertThat(subject.changedPartitions()).isZero();
        assertThat(subject.partitionVersion(VALUES)).isGreaterThan(ended);
    }

    @Test
    void namesThatAnEventMayHaveForOtherPartitions()
    {
        Subject subject = new Subject("db", "t", () -> 7, () -> {});
        assertThat(subject.partitionVersion(List.of("2026-12-01", "paris"))).isEqualTo(7);
        assertThat(subject.mayBeAboutOthers(List.of(List.of("2026-12-01", "??")))).isFalse();
        assertThat(subject.partitionVersion(List.of("2026-12-01", "Österreich"))).isEqualTo(7);
        assertThat(subject.partitionVersion(List.of("2026-12-01", "Orle\u0301ans"))).isEqualTo(7);
        for (String other : List.of("Österreich", "Osterreich", "?sterreich", "sterreich", "Ã–sterreich", "Orleans", "Orl?ans", "Orlans",
                "Orle?ans")) {
            assertThat(subject.mayBeAboutOthers(List.of(List.of("2026-12-01", "paris"), List.of("2026-12-01", other)))).as(other).isTrue();
        }
        assertThat(subject.mayBeAboutOthers(List.of(List.of("2026-12-01", "paris"), List.of("2026-12-01", "Orlnsa")))).isFalse();
        for (int i = 0; i < 100; i++) {
            assertThat(subject.partitionVersion(List.of("2026-12-01", "ł" + i + "."))).isEqualTo(7);
        }
        assertThat(subject.mayBeAboutOthers(List.of(List.of("2026-12-01", "paris")))).as("too many to remember").isTrue();
    }
}
