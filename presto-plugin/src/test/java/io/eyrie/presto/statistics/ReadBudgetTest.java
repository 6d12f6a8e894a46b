// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.statistics;

import io.airlift.units.DataSize;
import io.eyrie.presto.config.FileStatisticsConfig;
import org.junit.jupiter.api.Test;

import java.time.Duration;

import static org.assertj.core.api.Assertions.assertThat;

class ReadBudgetTest
{
    private static final long DAY = Duration.ofDays(1).toMillis();

    private long now = 20_000 * DAY + 17;

    private ReadBudget budget(String mode)
    {
        return new ReadBudget(
                new FileStatisticsConfig().setMode(mode).setDailyRequests(10).setDailySize(new DataSize(1, DataSize.Unit.MEGABYTE)),
                () -> now);
    }

    @Test
    void requestsOrBytesUseUpADay()
    {
        ReadBudget requests = budget("budgeted");
        requests.spend(9, 0);
        assertThat(requests.isLeft()).isTrue();
        requests.spend(1, 0);
        assertThat(requests.isLeft()).isFalse();
        ReadBudget bytes = budget("BUDGETED");
        bytes.spend(1, 1 << 20);
        assertThat(bytes.isLeft()).isFalse();
        now += DAY;
        assertThat(requests.isLeft()).isTrue();
        assertThat(bytes.isLeft()).isTrue();
    }

    @Test
    void restartDoesNotRefillADay()
    {
        ReadBudget before = budget("budgeted");
        before.spend(6, 1);
        ReadBudget after = budget("budgeted");
        after.spend(4, 1);
        after.restore(before.state());
        assertThat(after.isLeft()).isFalse();
        now += DAY;
        ReadBudget tomorrow = budget("budgeted");
        tomorrow.restore(before.state());
        tomorrow.spend(9, 1);
        assertThat(tomorrow.isLeft()).isTrue();
    }

    @Test
    void onHasNoBudget()
    {
        ReadBudget budget = budget("on");
        budget.spend(1_000_000, 1L << 40);
        assertThat(budget.isLeft()).isTrue();
    }
}
