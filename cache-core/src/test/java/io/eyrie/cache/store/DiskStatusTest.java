// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import io.eyrie.cache.store.DiskStatus.Health;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

final class DiskStatusTest
{
    @Test
    void diskThatIsLateCountsAsLostOnlyAfterAWhile()
    {
        assertThat(areRecovered(Duration.ZERO, Health.SERVING, Health.SERVING)).isTrue();
        assertThat(areRecovered(Duration.ofMinutes(9), Health.SERVING, Health.OUT_OF_SERVICE)).isFalse();
        assertThat(areRecovered(Duration.ofMinutes(11), Health.SERVING, Health.OUT_OF_SERVICE)).isTrue();
        assertThat(areRecovered(Duration.ofMinutes(11), Health.OPENING, Health.OUT_OF_SERVICE)).isFalse();
    }

    private static boolean areRecovered(Duration sinceOpened, Health... disks)
    {
        List<DiskStatus> all = Stream.of(disks).map(health -> new DiskStatus(Path.of("/disk"), health, 0, 0, 0, 0, 0, 0, 0)).toList();
        return DiskStatus.areRecovered(all, sinceOpened);
    }
}
