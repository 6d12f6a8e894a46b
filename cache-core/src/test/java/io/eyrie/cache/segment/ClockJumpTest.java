// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.admission.Admission;
import io.eyrie.cache.admission.DailyBudget;
import io.eyrie.cache.admission.WriteBudget;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cache.store.WriteOutcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests jumps of the system's clock: forward and back, temporary and permanent, before and after a restart. */
final class ClockJumpTest
{
    private static final long MINUTE = 60_000;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private final TestingStore testing = new TestingStore(TestingStore.config(TestingStore.A).ttlMillis(HOUR).build());

    @AfterEach
    void checkAndClose()
    {
        testing.check();
        testing.close();
    }

    private static PageKey key(int file)
    {
        return TestingStore.key(file, 0);
    }

    private void write(int file)
    {
        assertThat(testing.write(key(file))).isEqualTo(WriteOutcome.STORED);
        assertThat(testing.read(key(file))).isEqualTo(ReadOutcome.HIT);
    }

    /** Performs all of the store's time-dependent operations at once. */
    private void work(int file)
    {
        write(file);
        testing.store().invalidateFile(key(file));
        write(file);
        testing.store().tend();
    }

    private void isThereForAnHour(int file)
    {
        testing.clockMillis.addAndGet(50 * MINUTE);
        assertThat(testing.read(key(file))).isEqualTo(ReadOutcome.HIT);
        testing.clockMillis.addAndGet(20 * MINUTE);
        assertThat(testing.read(key(file))).isEqualTo(ReadOutcome.MISS);
    }

    @Test
    void ownRecordsDoNotExpire()
    {
        assertThat(testing.write(key(1), new PageTags(Scope.RECORDS, StorageClass.FOOTER))).isEqualTo(WriteOutcome.STORED);
        assertThat(testing.write(key(2), new PageTags(Scope.NONE, StorageClass.FOOTER))).isEqualTo(WriteOutcome.STORED);
        testing.clockMillis.addAndGet(2 * HOUR);
        testing.store().tend();
        testing.restart();
        assertThat(testing.read(key(1))).isEqualTo(ReadOutcome.HIT);
        assertThat(testing.read(key(2))).isEqualTo(ReadOutcome.MISS);
    }

    @ParameterizedTest
    @ValueSource(longs = {5 * DAY, -5 * DAY, 2 * MINUTE, -2 * MINUTE, 20_000 * DAY, -20_000 * DAY})
    void jumpForAMomentLeavesAges(long jumpMillis)
    {
        write(1);
        testing.clockErrorMillis.set(jumpMillis);
        testing.clockMillis.addAndGet(2000);
        work(2);
        assertThat(testing.read(key(1))).isEqualTo(ReadOutcome.HIT);
        testing.clockErrorMillis.set(0);
        testing.clockMillis.addAndGet(2000);
        work(3);
        assertThat(testing.read(key(1))).isEqualTo(ReadOutcome.HIT);
        assertThat(testing.read(key(2))).isEqualTo(ReadOutcome.HIT);
        isThereForAnHour(3);
        assertThat(testing.hits(2, 1)).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {5 * DAY, -5 * DAY})
    void jumpForGoodLeavesAges(long jumpMillis)
    {
        testing.clockErrorMillis.set(jumpMillis);
        for (int file = 1; file < 4; file++) {
            testing.clockMillis.addAndGet(HOUR);
            work(file);
        }
        isThereForAnHour(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {5 * DAY, 20 * MINUTE, 2 * MINUTE})
    void clockThatWasAheadBeforeARestartMakesNoPageYoung(long aheadMillis)
    {
        testing.clockErrorMillis.set(aheadMillis);
        testing.restart();
        work(1);
        testing.store().invalidateFile(key(2));
        testing.clockErrorMillis.set(0);
        testing.restart();
        testing.check();
        if (aheadMillis > HOUR / 8) {
            assertThat(testing.read(key(1))).isEqualTo(ReadOutcome.MISS);
        }
        testing.clockMillis.addAndGet(HOUR + HOUR / 8);
        assertThat(testing.read(key(1))).isEqualTo(ReadOutcome.MISS);
        // and nothing is refused
        work(1);
        work(2);
        isThereForAnHour(2);
        assertThat(testing.read(key(1))).isEqualTo(ReadOutcome.MISS);
    }

    @Test
    void clockThatWasBehindBeforeARestartExpiresEarly()
    {
        testing.clockErrorMillis.set(-5 * DAY);
        testing.restart();
        work(1);
        testing.clockErrorMillis.set(0);
        testing.restart();
        assertThat(testing.read(key(1))).isEqualTo(ReadOutcome.MISS);
        work(1);
        isThereForAnHour(1);
    }

    @Test
    void manyInvalidationsStretchNoAge()
    {
        for (int i = 0; i < 3 * 60; i++) {
            write(i % 7);
            testing.store().invalidateFile(key(i % 7));
            testing.clockMillis.addAndGet(333);
        }
        write(100);
        isThereForAnHour(100);
    }

    @ParameterizedTest
    @ValueSource(longs = {5 * DAY, -5 * DAY, 0})
    void whatWasInvalidatedStaysSoWhateverTheClockDoes(long jumpMillis)
    {
        testing.restart(testing.config().toBuilder().ttlMillis(0).build());
        write(1);
        write(2);
        testing.clockErrorMillis.set(jumpMillis);
        testing.restart();
        write(3);
        testing.clockErrorMillis.set(0);
        testing.restart();
        assertThat(testing.read(key(1))).isEqualTo(ReadOutcome.HIT);
        assertThat(testing.read(key(3))).isEqualTo(ReadOutcome.HIT);
        testing.store().invalidateFile(key(1));
        testing.store().invalidateFile(key(3));
        write(3);
        testing.restart();
        assertThat(testing.read(key(1))).isEqualTo(ReadOutcome.MISS);
        assertThat(testing.read(key(2))).isEqualTo(ReadOutcome.HIT);
        assertThat(testing.read(key(3))).isEqualTo(ReadOutcome.HIT);
    }

    @Test
    void daysBudgetIsNotSpentForLongerThanADay()
    {
        DailyBudget budget = new DailyBudget(100, testing.newClock());
        testing.clockErrorMillis.set(10 * DAY);
        testing.clockMillis.addAndGet(2000);
        assertThat(take(budget)).isEqualTo(Admission.ADMITTED);
        testing.clockErrorMillis.set(0);
        assertThat(take(budget)).isEqualTo(Admission.OVER_DAILY_BUDGET);
        testing.clockMillis.addAndGet(25 * HOUR);
        assertThat(take(budget)).isEqualTo(Admission.ADMITTED);
        testing.clockErrorMillis.set(-10 * DAY);
        testing.clockMillis.addAndGet(2000);
        assertThat(take(budget)).isEqualTo(Admission.OVER_DAILY_BUDGET);
        // 24.5 hours, measured by a clock that is slow by an eighth
        testing.clockMillis.addAndGet(29 * HOUR);
        assertThat(take(budget)).isEqualTo(Admission.ADMITTED);
    }

    private static Admission take(DailyBudget budget)
    {
        return budget.admit(key(1), Scope.NONE, 100, WriteBudget.UNLIMITED);
    }
}
