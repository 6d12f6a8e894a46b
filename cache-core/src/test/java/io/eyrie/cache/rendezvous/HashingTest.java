// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.rendezvous;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class HashingTest
{
    @Test
    void anotherHashWouldMoveEveryKey()
    {
        // recorded: these values must never change
        assertThat(List.of(
                Hashing.hash(""),
                Hashing.hash("worker-1"),
                Hashing.hash("s3://warehouse/sales.db/orders/part-1.orc"),
                Hashing.hash("grüße/\uD83E\uDD85"),
                Hashing.hash(1, 2),
                Hashing.score(1, 2))).containsExactly(0x053b92430ac35ec3L, 0x677fb0b796a78ccbL, 0x720f44fedde9e609L, 0x2440edcb3fab3c2aL,
                        0xa8b21b7b9c5f8d51L, 0xca7791e0221d3e2cL);
    }

    @Test
    void textsThatDifferInTheirTailOrLengthShareNoHash()
    {
        Set<Long> hashes = IntStream.range(0, 100_000).mapToObj(number -> "part-" + number).map(Hashing::hash).collect(Collectors.toSet());
        assertThat(hashes).hasSize(100_000);
        assertThat(Hashing.hash("a")).isNotEqualTo(Hashing.hash("a\0"));
        assertThat(Hashing.hash("abcd")).isNotEqualTo(Hashing.hash("abcd\0"));
    }

    @Test
    void oneBitOfANameChangesHalfOfTheHash()
    {
        Random random = new Random(6);
        double flipped = IntStream.range(0, 10_000).map(ignored -> {
            char[] name = {(char) random.nextInt(128), (char) random.nextInt(128), (char) random.nextInt(128), 'x', (char) random.nextInt(128)};
            long before = Hashing.hash(new String(name));
            name[random.nextInt(name.length)] ^= (char) (1 << random.nextInt(7));
            return Long.bitCount(before ^ Hashing.hash(new String(name)));
        }).average().orElseThrow();
        assertThat(flipped).isBetween(31.8, 32.2);
    }

    @Test
    void unitKeepsTheOrderOfScores()
    {
        assertThat(Hashing.unit(Long.MIN_VALUE)).isGreaterThan(0).isLessThan(1e-15);
        assertThat(Hashing.unit(-1)).isLessThanOrEqualTo(Hashing.unit(0));
        assertThat(Hashing.unit(0)).isBetween(0.5, 0.5000001);
        assertThat(Hashing.unit(Long.MAX_VALUE)).isLessThanOrEqualTo(1).isGreaterThan(1 - 1e-15);
    }
}
