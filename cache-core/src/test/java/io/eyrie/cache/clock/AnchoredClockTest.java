// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.clock;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Random;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

final class AnchoredClockTest
{
    private static final long START = Duration.ofDays(20_000).toMillis();
    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final long HOUR = Duration.ofHours(1).toMillis();

    private long passedMillis;
    private long errorMillis;
    private final AnchoredClock clock = newClock();

    private AnchoredClock newClock()
    {
        return new AnchoredClock(() -> START + passedMillis + errorMillis, () -> MILLISECONDS.toNanos(passedMillis) - 17);
    }

    private void pass(long millis, long stepMillis)
    {
        for (long end = passedMillis + millis; passedMillis < end; passedMillis += stepMillis) {
            clock.getAsLong();
        }
    }

    @Test
    void clockThatIsRightIsFollowed()
    {
        assertThat(clock.getAsLong()).isEqualTo(START);
        pass(DAY, HOUR / 7);
        assertThat(clock.getAsLong()).isEqualTo(START + passedMillis);
    }

    @Test
    void jumpThatIsTakenBackCostsNothing()
    {
        for (long jump : new long[] {5 * DAY, -5 * DAY, 10_000 * DAY, -30_000 * DAY}) {
            errorMillis = jump;
            pass(20_000, 700);
            errorMillis = 0;
            assertThat(clock.getAsLong()).isBetween(START + passedMillis - 2500, START + passedMillis + 2500);
            pass(HOUR, 1000);
            assertThat(clock.getAsLong()).isEqualTo(START + passedMillis);
        }
    }

    @Test
    void jumpThatStaysIsFollowedSlowly()
    {
        errorMillis = DAY;
        pass(4 * DAY, HOUR);
        assertThat(clock.getAsLong()).isBetween(START + passedMillis + DAY / 2 - HOUR, START + passedMillis + DAY / 2);
        pass(5 * DAY, HOUR);
        assertThat(clock.getAsLong()).isEqualTo(START + passedMillis + DAY);
        errorMillis = -DAY;
        pass(17 * DAY, HOUR);
        assertThat(clock.getAsLong()).isEqualTo(START + passedMillis - DAY);
    }

    @Property
    void timePassesEvenlyWhateverTheSystemsClockDoes(@ForAll long seed)
    {
        Random random = new Random(seed);
        passedMillis = 0;
        errorMillis = 0;
        AnchoredClock anchored = newClock();
        for (int step = 0; step < 200; step++) {
            long before = anchored.getAsLong();
            long passed = switch (random.nextInt(4)) {
                case 0 -> 0;
                case 1 -> random.nextLong(1000);
                case 2 -> random.nextLong(HOUR);
                default -> random.nextLong(30 * DAY);
            };
            if (random.nextInt(3) == 0) {
                errorMillis = random.nextLong(-2 * START, 2 * START);
            }
            passedMillis += passed;
            assertThat(anchored.getAsLong() - before).isBetween(passed - passed / 8 - 2, passed + passed / 8 + 2).isNotNegative();
        }
    }
}
