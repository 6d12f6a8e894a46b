// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import io.eyrie.cache.PageCaches;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.page.PageCache;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.Grouping;
import io.eyrie.fragment.key.KeyPart;
import io.eyrie.fragment.key.OutputId;
import io.eyrie.fragment.key.SplitKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static io.eyrie.fragment.TestingLeaves.BLOCKS;
import static org.assertj.core.api.Assertions.assertThat;

/** Counts what a split looks up that looks for two finer results and finds none. */
final class FinerLookupTest
{
    private static final int SPLITS = 20;

    @Test
    void splitThatFindsNoFinerResultLooksUpTwoMoreForEach(@TempDir Path directory)
    {
        PageCacheConfig config = PageCacheConfig.builder().baseDirectories(List.of(directory)).capacityBytes(64 << 20).minFreeSpaceBytes(0).build();
        try (PageCache cache = PageCaches.open(config)) {
            FragmentResults results = new FragmentResults(cache.blobs().orElseThrow(), new ResultFormat(BLOCKS, false), FragmentLimits.DEFAULT,
                    System::nanoTime);
            List<SplitKey> splits = LongStream.range(0, SPLITS).mapToObj(FinerLookupTest::split).toList();
            List<OutputId> outputs = List.of(new OutputId(1, 1), new OutputId(1, 2));
            List<Grouping> finer = List.of(grouping(3), grouping(4));
            long without = lookups(cache, () -> lookUp(results, splits, outputs, List.of()));
            long with = lookups(cache, () -> lookUp(results, splits, outputs, finer));
            assertThat(without).as("the result, and the columns of other results of the leaf").isEqualTo(2L * SPLITS);
            assertThat(with).as("the same for each finer leaf").isEqualTo(2L * SPLITS * (1 + finer.size()));
            assertThat(results.stats().subsumedHits()).isZero();
        }
    }

    private static long lookups(PageCache cache, Runnable work)
    {
        long before = cache.blobs().orElseThrow().stats().lookup().lookups();
        work.run();
        return cache.blobs().orElseThrow().stats().lookup().lookups() - before;
    }

    private static void lookUp(FragmentResults results, List<SplitKey> splits, List<OutputId> outputs, List<Grouping> finer)
    {
        for (SplitKey split : splits) {
            FragmentKey key = FragmentKey.of(grouping(2).form(outputs), split);
            Supplier<List<FinerKey>> keys = () -> finer.stream().map(grouping -> new FinerKey(
                    FragmentKey.of(grouping.form(outputs), split), Long.MAX_VALUE, () -> {
                        throw new AssertionError("merged");
                    })).toList();
            assertThat(results.lookUpOnly(key, keys)).isEmpty();
        }
    }

    /* About as large as the key of a real split. */
    private static SplitKey split(long number)
    {
        SplitKey.Builder builder = SplitKey.builder();
        Stream.of(KeyPart.values()).forEach(part -> builder.with(part, writer -> writer.text((part.name() + number).repeat(15))));
        return builder.build();
    }

    private static Grouping grouping(int keys)
    {
        return new Grouping(Optional.empty(), hashes(3), hashes(keys), Set.of(), Set.of());
    }

    private static Set<BlobKey> hashes(int count)
    {
        return Set.copyOf(LongStream.range(0, count).mapToObj(number -> new BlobKey(number, number)).toList());
    }
}
