// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.inspection.StoreInspection;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageCacheStats;
import io.eyrie.cache.page.ReadContext;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.cache.page.TestingSource;
import io.eyrie.cache.segment.StoreState;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** Compares the whole cache on a real directory with the bytes that it should return, while its files are damaged. */
final class PageCacheModelTest
{
    private static final int PAGE = 64 << 10;
    private static final int[] LENGTHS = {0, 1, PAGE, PAGE + 1, 5 * PAGE - 1, 11 * PAGE + 12_345};
    private static final int VERSIONS = 2;

    /** A step of the test. */
    interface Step
    {
        void run(Model model)
                throws IOException;
    }

    record Read(int file, int version, CacheMode mode, boolean direct, double from, double share)
            implements Step
    {
        @Override
        public void run(Model model)
                throws IOException
        {
            byte[] content = Model.content(file, version);
            int position = (int) (content.length * from);
            int length = (int) ((content.length - position + 10) * share);
            ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
            int expected = length == 0 ? 0 : position == content.length ? -1 : Math.min(length, content.length - position);
            try (CachedFile cached = model.cache.open(
                    Model.version(file, version),
                    new TestingSource(content),
                    new ReadContext(Scope.NONE, mode, ReadListener.NOOP))) {
                assertThat(cached.read(position, buffer)).isEqualTo(expected);
            }
            assertThat(buffer.flip()).isEqualTo(ByteBuffer.wrap(content, position, Math.max(0, expected)));
        }
    }

    record Reopen(int capacityPages)
            implements Step
    {
        @Override
        public void run(Model model)
                throws IOException
        {
            model.check();
            model.capacityPages = capacityPages;
            model.reopen();
        }
    }

    /** Closes the cache, flips a bit of a file, or truncates or deletes the file, and opens the cache again. */
    record Damage(double which, double where, int how)
            implements Step
    {
        @Override
        public void run(Model model)
                throws IOException
        {
            model.check();
            List<Path> files = model.files();
            if (!files.isEmpty()) {
                damage(files);
            }
            model.reopen();
        }

        private void damage(List<Path> files)
                throws IOException
        {
            Path file = files.get((int) (which * files.size()));
            byte[] bytes = Files.readAllBytes(file);
            int offset = (int) (where * bytes.length);
            if (how < 8 && bytes.length > 0) {
                bytes[offset] ^= (byte) (1 << how);
                Files.write(file, bytes);
            }
            else if (how == 8) {
                Files.write(file, Arrays.copyOf(bytes, offset));
            }
            else {
                Files.delete(file);
            }
        }
    }

    @Property
    void cacheGivesTheBytesOfTheVersion(@ForAll("steps") List<Step> steps)
            throws IOException
    {
        try (Model model = new Model()) {
            for (Step step : steps) {
                step.run(model);
            }
            model.check();
        }
    }

    @Provide
    static Arbitrary<List<Step>> steps()
    {
        Arbitrary<Double> share = Arbitraries.doubles().between(0, true, 1, false);
        Arbitrary<Step> read = Combinators.combine(
                Arbitraries.integers().between(0, LENGTHS.length - 1),
                Arbitraries.integers().between(0, VERSIONS - 1),
                Arbitraries.frequencyOf(
                        Tuple.of(8, Arbitraries.just(CacheMode.READ_WRITE)),
                        Tuple.of(2, Arbitraries.of(CacheMode.class))),
                Arbitraries.of(true, false),
                share,
                share).as(Read::new);
        Arbitrary<Step> reopen = Arbitraries.integers().between(1, 20).map(Reopen::new);
        Arbitrary<Step> damage = Combinators.combine(share, share, Arbitraries.integers().between(0, 9)).as(Damage::new);
        return Arbitraries.frequencyOf(
                Tuple.of(12, read),
                Tuple.of(1, reopen),
                Tuple.of(3, damage)).list().ofMinSize(20).ofMaxSize(60);
    }

    private static final class Model
            implements AutoCloseable
    {
        private final Path base = Files.createTempDirectory("model");
        private int capacityPages = 10;
        private PageCache cache = open();

        Model()
                throws IOException
        {}

        static byte[] content(int file, int version)
        {
            return randomBytes(file * 100L + version, LENGTHS[file]);
        }

        static FileVersion version(int file, int version)
        {
            return new FileVersion(StoreId.shared("s3"), "/file" + file, LENGTHS[file], version, Optional.empty());
        }

        private PageCache open()
        {
            return PageCaches.open(PageCacheConfig.builder()
                    .baseDirectories(List.of(base))
                    .capacityBytes(capacityPages * (PAGE + 4096L))
                    .pageSizeBytes(PAGE)
                    .maxFetchBytes(3 * PAGE)
                    .minFreeSpaceBytes(0)
                    .build());
        }

        void reopen()
        {
            cache = open();
        }

        /** Closes the cache, and checks its statistics and its files. */
        void check()
                throws IOException
        {
            long capacityBytes = cache.stats().store().capacityBytes();
            cache.close();
            PageCacheStats stats = cache.stats();
            assertThat(stats.lookup().hits() + stats.lookup().misses() + stats.lookup().declined() + stats.lookup().errors()).isEqualTo(stats.lookup()
                    .lookups());
            assertThat(stats.lookup().deviceErrors()).isZero();
            assertThat(stats.write().failedWrites()).isZero();
            try (StoreInspection store = StoreInspection.open(base, Optional.empty())) {
                // without the headers, which are before the first slot
                long bytes = store.segments().stream()
                        .mapToLong(segment -> Math.max(0, (segment.fileBytes().orElse(0) + 4095) / 4096 * 4096 - Integer.highestOneBit(segment
                                .slotBytes())))
                        .sum();
                assertThat(bytes).isLessThanOrEqualTo(capacityBytes);
            }
        }

        /** Returns the files of segments and of the journal. */
        List<Path> files()
                throws IOException
        {
            try (Stream<Path> files = Files.walk(StoreState.folder(base))) {
                return files.filter(Files::isRegularFile).sorted().toList();
            }
        }

        @Override
        public void close()
                throws IOException
        {
            cache.close();
            try (Stream<Path> files = Files.walk(base)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
