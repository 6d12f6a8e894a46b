// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import io.eyrie.cache.PageCaches;
import io.eyrie.cache.admission.AdmissionConfig;
import io.eyrie.cache.admission.TablePattern;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.presto.config.ControlConfig;
import io.eyrie.presto.control.ControlState.Rule;
import io.eyrie.presto.control.ControlState.Target;
import io.eyrie.presto.control.Steerable.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import static com.google.common.util.concurrent.Uninterruptibles.awaitUninterruptibly;
import static io.eyrie.cache.page.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests the path of an operator's commands, from the coordinator's file to the layers of a worker. */
class ControlTest
{
    private static final Target ALL = new Target("", "", "");
    private static final Target WEB = new Target("web", "", "");
    private static final Target CLICKS = new Target("web", "clicks", "");
    private static final Target DAY = new Target("web", "clicks", "ds=1");

    private final Path directory;
    private final AtomicLong nanos = new AtomicLong();
    private final List<Scope> invalidated = new ArrayList<>();
    private final List<ControlState> steered = new ArrayList<>();

    private final Steerable layer = new Steerable() {
        @Override
        public void invalidate(Scope scope)
        {
            invalidated.add(scope);
        }

        @Override
        public void steer(ControlState state)
        {
            steered.add(state);
        }
    };

    ControlTest(@TempDir Path directory)
    {
        this.directory = directory;
    }

    private Control coordinator(Path control)
    {
        return new Control("hive", new ControlConfig().setDirectory(control.toString()), Set.of(layer), Optional.empty(), nanos::get);
    }

    private Control worker(Optional<PageCache> pages)
    {
        return new Control("hive", new ControlConfig(), Set.of(layer), pages);
    }

    private static void observe(Control worker, ControlState state)
    {
        worker.observe(Optional.of(PackedState.of(state)));
    }

    private static Scope scope(Target target)
    {
        return target.scope("hive");
    }

    @Test
    void workerGoesByEachStateOnce()
            throws IOException
    {
        Control coordinator = coordinator(directory);
        assertThat(coordinator.current()).isEmpty();
        ControlState first = coordinator.change(state -> state.invalidated(CLICKS));
        assertThat(coordinator.current()).hasValue(first);
        assertThat(coordinator.packed()).hasValue(PackedState.of(first));
        invalidated.clear();
        steered.clear();

        Control worker = worker(Optional.empty());
        observe(worker, first);
        observe(worker, first);
        worker.observe(Optional.empty());
        assertThat(invalidated).containsExactly(scope(CLICKS));
        assertThat(steered).containsExactly(first);

        ControlState second = coordinator.change(state -> state.invalidated(WEB).pinned(DAY));
        invalidated.clear();
        observe(worker, second);
        observe(worker, first);
        assertThat(invalidated).as("the older one comes late").containsExactly(scope(WEB));
        assertThat(worker.inEffect()).hasValue(second);
        assertThat(worker.epoch()).isEqualTo(second.epoch());
    }

    @Test
    void layersLearnThatThereAreNoCommands()
            throws IOException
    {
        Control worker = worker(Optional.empty());
        assertThat(steered).isEmpty();
        worker.observe(Optional.empty());
        worker.observe(Optional.empty());
        assertThat(steered).containsExactly(ControlState.initial(""));
        assertThat(worker.inEffect()).isEmpty();
        Optional<ControlState> unused = worker(Optional.empty()).current();
        assertThat(steered).as("a coordinator without a control directory").hasSize(2);

        Path control = directory.resolve("control");
        Files.createDirectory(control);
        Files.writeString(control.resolve("hive.json"), "damaged");
        steered.clear();
        assertThat(coordinator(control).current()).isEmpty();
        Control started = worker(Optional.empty());
        started.observe(coordinator(control).packed());
        assertThat(steered).as("what they are is unknown").isEmpty();
        Files.delete(control.resolve("hive.json"));
        assertThat(coordinator(control).packed()).isEmpty();
        assertThat(steered).hasSize(1);
    }

    @Test
    void queriesThatAreTheFirstAtTheSameTime()
            throws Exception
    {
        ControlState state = coordinator(directory).change(before -> before.resized(9L));
        Control restarted = coordinator(directory);
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        FutureTask<ControlState> change = new FutureTask<>(() -> restarted.change(before -> {
            busy.countDown();
            awaitUninterruptibly(goOn);
            throw new IllegalArgumentException("refused");
        }));
        new Thread(change).start();
        busy.await();
        List<FutureTask<Optional<PackedState>>> queries = List.of(new FutureTask<>(restarted::packed), new FutureTask<>(restarted::packed));
        for (FutureTask<Optional<PackedState>> query : queries) {
            Thread thread = new Thread(query);
            thread.start();
            while (thread.getState() != Thread.State.TIMED_WAITING && !query.isDone()) {
                Thread.onSpinWait();
            }
        }
        goOn.countDown();
        for (FutureTask<Optional<PackedState>> query : queries) {
            assertThat(query.get()).hasValue(PackedState.of(state));
        }
        assertThatThrownBy(change::get).hasRootCauseMessage("refused");
    }

    @Test
    void olderStateTurnsNothingBack()
            throws IOException
    {
        ControlState first = coordinator(directory.resolve("control")).change(state -> state.invalidated(CLICKS));
        ControlState second = coordinator(directory.resolve("control")).change(state -> state.invalidated(WEB));
        Path pages = Files.createDirectory(directory.resolve("pages"));
        PageCacheConfig config = PageCacheConfig.builder().baseDirectories(List.of(pages)).capacityBytes(64 << 20).minFreeSpaceBytes(0).build();
        try (PageCache cache = PageCaches.open(config)) {
            observe(worker(Optional.of(cache)), second);
        }
        try (PageCache cache = PageCaches.open(config)) {
            Control restarted = worker(Optional.of(cache));
            for (List<ControlState> order : List.of(List.of(first, second), List.of(second, first, second), List.of(first, first, second, second))) {
                invalidated.clear();
                order.forEach(state -> observe(restarted, state));
                assertThat(invalidated).as("invalidated a second time, %s", order).isEmpty();
                assertThat(restarted.epoch()).isEqualTo(second.epoch());
            }
        }
    }

    @Test
    void statesOfAllAgesThatComeAtATime()
            throws Exception
    {
        Control coordinator = coordinator(directory);
        List<ControlState> states = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Target target = new Target("web", "t" + i, "");
            states.add(coordinator.change(state -> state.invalidated(target)));
        }
        invalidated.clear();
        Control worker = worker(Optional.empty());
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                List<ControlState> shuffled = new ArrayList<>(states);
                Collections.shuffle(shuffled, new Random(i));
                running.add(threads.submit(() -> shuffled.forEach(state -> observe(worker, state))));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
        finally {
            threads.shutdownNow();
        }
        assertThat(invalidated).as("each once").doesNotHaveDuplicates().hasSize(20);
    }

    @Test
    void originsThatComeAndGo()
    {
        Control worker = worker(Optional.empty());
        for (int i = 0; i < 3 * Control.MOST_ORIGINS; i++) {
            observe(worker, ControlState.initial("origin" + i).at(1 + i).invalidated(CLICKS));
        }
        assertThat(worker.origins()).isLessThanOrEqualTo(Control.MOST_ORIGINS);
        assertThat(invalidated).hasSize(3 * Control.MOST_ORIGINS);
    }

    @Test
    void changesOfTwoCoordinatorsWithinATickOfTheClock()
            throws IOException
    {
        Control one = coordinator(directory);
        Control other = coordinator(directory);
        one.change(state -> state.resized(1L));
        Path file = directory.resolve("hive.json");
        FileTime tick = Files.getLastModifiedTime(file);
        ControlState more = other.change(state -> state.resized(2L));
        Files.setLastModifiedTime(file, tick);
        nanos.addAndGet(1_000_000_000);
        assertThat(one.current()).hasValue(more);
    }

    @Test
    void coordinatorRemembersAndAnotherOneThatSharesTheDirectorySeesIt()
            throws IOException
    {
        Control one = coordinator(directory);
        ControlState changed = one.change(state -> state.ruled(new Rule(false, "web", "*")).bounded(CLICKS, 5L).resized(9L));
        assertThat(one.current()).hasValue(changed);
        Control other = coordinator(directory);
        assertThat(other.current()).as("as after a restart").hasValue(changed);
        ControlState more = other.change(state -> state.invalidated(ALL));
        assertThat(more.origin()).isEqualTo(changed.origin());
        assertThat(more.rules()).isEqualTo(changed.rules());
        assertThat(more.capacityBytes()).isEqualTo(9);
        assertThat(one.current()).as("looked a moment ago").hasValue(changed);
        nanos.addAndGet(1_000_000_000);
        assertThat(one.current()).hasValue(more);
    }

    @Test
    void invalidationsOfTwoCoordinatorsAddUpAndTheNewestRulesCount()
            throws IOException
    {
        ControlState one = coordinator(directory.resolve("one")).change(state -> state.invalidated(CLICKS).pinned(DAY));
        ControlState two = coordinator(directory.resolve("two")).change(state -> state.at(one.epoch() + 10).invalidated(WEB));
        invalidated.clear();
        Control worker = worker(Optional.empty());
        observe(worker, two);
        observe(worker, one);
        assertThat(invalidated).containsExactly(scope(WEB), scope(CLICKS));
        assertThat(worker.inEffect()).hasValue(two);
    }

    @Test
    void restartInvalidatesNothingAnewThatIsKept()
            throws IOException
    {
        ControlState changed = coordinator(directory.resolve("control")).change(state -> state.invalidated(CLICKS).pinned(DAY));
        Path pages = Files.createDirectory(directory.resolve("pages"));
        PageCacheConfig config = PageCacheConfig.builder().baseDirectories(List.of(pages)).capacityBytes(64 << 20).minFreeSpaceBytes(0).build();
        for (int start = 0; start < 2; start++) {
            invalidated.clear();
            steered.clear();
            try (PageCache cache = PageCaches.open(config)) {
                observe(worker(Optional.of(cache)), changed);
            }
            assertThat(invalidated).isEqualTo(start == 0 ? List.of(scope(CLICKS)) : List.of());
            assertThat(steered).as("pins and rules are not on the disks").containsExactly(changed);
        }
    }

    @Test
    void restartInvalidatesNothingAnewWhateverIsAdmitted()
            throws IOException
    {
        ControlState changed = coordinator(directory.resolve("control")).change(state -> state.invalidated(CLICKS));
        PageCacheConfig.Builder config = PageCacheConfig.builder().capacityBytes(64 << 20).minFreeSpaceBytes(0);
        List<AdmissionConfig> admissions = List.of(
                new AdmissionConfig(List.of(TablePattern.parse("hive.web.*")), List.of(), 0, OptionalLong.empty(), false),
                new AdmissionConfig(List.of(), List.of(), 1000, OptionalLong.empty(), false),
                new AdmissionConfig(List.of(), List.of(), 0, OptionalLong.of(0), false));
        for (int i = 0; i < admissions.size(); i++) {
            config.baseDirectories(List.of(Files.createDirectory(directory.resolve("pages" + i)))).admission(admissions.get(i));
            for (int start = 0; start < 2; start++) {
                invalidated.clear();
                try (PageCache cache = PageCaches.open(config.build())) {
                    observe(worker(Optional.of(cache)), changed);
                }
                assertThat(invalidated).isEqualTo(start == 0 ? List.of(scope(CLICKS)) : List.of());
            }
        }
    }

    /* The record of the invalidation is on the disk that carried it out; the other one must not appear to have done so, too. */
    @Test
    void invalidationThatADiskOutOfServiceMissedIsCarriedOutAfterARestart()
            throws IOException
    {
        List<Path> disks = List.of(Files.createDirectory(directory.resolve("a")), Files.createDirectory(directory.resolve("b")));
        PageCacheConfig config = PageCacheConfig.builder().baseDirectories(disks).capacityBytes(64 << 20).minFreeSpaceBytes(0).probeIntervalMillis(1)
                .build();
        for (int lost = 0; lost < disks.size(); lost++) {
            Path away = directory.resolve("away");
            ControlState changed = coordinator(directory.resolve("control" + lost)).change(state -> state.invalidated(CLICKS));
            List<BlobKey> pages;
            try (PageCache cache = PageCaches.open(config)) {
                pages = pagesOfClicksOnBothDisks(cache.blobs().orElseThrow());
            }
            try (PageCache cache = PageCaches.open(config)) {
                Files.move(disks.get(lost), away);
                eventually("the disk is out of service", () -> cache.stats().store().currentQuarantinedDirectories() == 1);
                observe(workerOf(cache), changed);
            }
            Files.move(away, disks.get(lost));
            try (PageCache cache = PageCaches.open(config)) {
                BlobCache blobs = cache.blobs().orElseThrow();
                assertThat(pages.stream().filter(key -> blobs.get(key).isPresent())).as("of the disk that was away").hasSize(1);
                observe(workerOf(cache), changed);
                assertThat(pages).noneMatch(key -> blobs.get(key).isPresent());
            }
            try (PageCache cache = PageCaches.open(config)) {
                invalidated.clear();
                observe(worker(Optional.of(cache)), changed);
                assertThat(invalidated).as("both disks have carried it out").isEmpty();
            }
        }
    }

    private static List<BlobKey> pagesOfClicksOnBothDisks(BlobCache blobs)
    {
        Map<Integer, BlobKey> keys = new HashMap<>();
        for (int i = 0; keys.size() < 2; i++) {
            BlobKey key = new BlobKey(i, i);
            keys.putIfAbsent(blobs.device(key), key);
        }
        keys.values().forEach(key -> blobs.put(key, new PageTags(scope(DAY), StorageClass.RESULT), ByteBuffer.allocate(1), blobs.epoch()));
        eventually("pages are written", () -> blobs.stats().write().writes() == keys.size());
        return List.copyOf(keys.values());
    }

    private static Control workerOf(PageCache cache)
    {
        return new Control("hive", new ControlConfig(), Set.of(scope -> cache.control().invalidate(scope)), Optional.of(cache));
    }

    @Test
    void stateStaysAsItWasWhereItCannotBeKept()
            throws IOException
    {
        assertThatThrownBy(() -> worker(Optional.empty()).change(state -> state.invalidated(ALL))).isInstanceOf(IOException.class)
                .hasMessageContaining("cache.control-directory");
        Files.writeString(directory.resolve("hive.json"), "{not json");
        Control coordinator = coordinator(directory);
        assertThat(coordinator.current()).isEmpty();
        assertThatThrownBy(() -> coordinator.change(state -> state.invalidated(ALL))).isInstanceOf(IOException.class).hasMessageContaining(
                "hive.json");
        assertThat(directory.resolve("hive.json")).hasContent("{not json");
        assertThat(invalidated).isEmpty();
    }

    @Test
    void layerThatFailsKeepsNoOtherFromIt()
            throws IOException
    {
        ControlState changed = coordinator(directory).change(state -> state.invalidated(CLICKS));
        invalidated.clear();
        Steerable failing = scope -> {
            throw new IllegalStateException("no such disk");
        };
        Control worker = new Control("hive", new ControlConfig(), Set.of(failing, layer), Optional.empty());
        observe(worker, changed);
        assertThat(invalidated).containsExactly(scope(CLICKS));
        assertThat(worker.inEffect()).hasValue(changed);
    }

    @Test
    void layersAreInvalidatedAfterThoseThatTheyDeriveTheirDataFrom()
            throws IOException
    {
        ControlState changed = coordinator(directory).change(state -> state.invalidated(CLICKS));
        List<Stage> order = new ArrayList<>();
        Set<Steerable> layers = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            Stream.of(Stage.values()).forEach(stage -> layers.add(new Steerable() {
                @Override
                public Stage stage()
                {
                    return stage;
                }

                @Override
                public void invalidate(Scope scope)
                {
                    order.add(stage);
                }
            }));
        }
        observe(new Control("hive", new ControlConfig(), layers, Optional.empty()), changed);
        assertThat(order).hasSize(layers.size()).isSorted();
    }

    @Test
    void stateStaysSmall()
    {
        ControlState state = ControlState.initial("here").at(1).invalidated(DAY).at(2).invalidated(CLICKS).at(3).invalidated(DAY);
        assertThat(state.invalidations()).extracting(ControlState.Invalidation::epoch).containsExactly(2L, 3L);
        for (int i = 0; i < 2000; i++) {
            state = state.at(10 + i).invalidated(new Target("web", "t" + i, ""));
        }
        assertThat(state.invalidations()).hasSizeLessThanOrEqualTo(ControlState.MOST_INVALIDATIONS);
        assertThat(state.invalidations().get(0).target()).as("for those left out").isEqualTo(WEB);
        for (int i = 0; i < 2000; i++) {
            state = state.at(3000 + i).invalidated(new Target("s" + i, "", ""));
        }
        assertThat(state.invalidations()).hasSizeLessThanOrEqualTo(ControlState.MOST_INVALIDATIONS);
        assertThat(state.invalidations().get(0).target()).as("for those left out").isEqualTo(ALL);
    }

    @Test
    void longNamesInvalidateTheirTable()
    {
        ControlState state = ControlState.initial("here");
        for (int i = 0; i < 4; i++) {
            state = state.at(i + 1).invalidated(new Target("web", "clicks", "ds=" + i + "x".repeat(10_000)));
        }
        assertThat(state.invalidations()).containsExactly(new ControlState.Invalidation(4, CLICKS));
    }

    @Test
    void morePinsRulesAndQuotasThanMayTravel()
    {
        ControlState state = ControlState.initial("here");
        for (int i = 0; i < ControlState.MOST_STEERED; i++) {
            state = state.bounded(new Target("web", "t" + i, ""), 5L).growingWithinBounds(state);
        }
        ControlState full = state;
        assertThatThrownBy(() -> full.pinned(ALL).growingWithinBounds(full)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most " + ControlState.MOST_STEERED);
        assertThat(full.bounded(new Target("web", "t1", ""), 7L).growingWithinBounds(full).quotas()).hasSize(ControlState.MOST_STEERED);
        ControlState over = full.pinned(ALL);
        assertThat(over.bounded(new Target("web", "t1", ""), null).growingWithinBounds(over).quotas()).as("taken back").hasSize(
                ControlState.MOST_STEERED - 1);
        assertThatThrownBy(() -> ControlState.initial("here").pinned(new Target("web", "t", "ds=" + "x".repeat(ControlState.MOST_CHARACTERS)))
                .growingWithinBounds(ControlState.initial("here"))).isInstanceOf(IllegalArgumentException.class);
    }

    /* The name of each is another hash. */
    @Test
    void namesThatDoNotCompress()
    {
        Random random = new Random(1);
        ControlState state = ControlState.initial("here");
        for (int i = 0; i < 150; i++) {
            state = state.at(i + 1).invalidated(new Target("web", "clicks", "id=" + new UUID(random.nextLong(), random.nextLong())));
            assertThat(PackedState.of(state).text()).hasSizeLessThan(ControlState.MOST_PACKED_BYTES + 200);
        }
        assertThat(state.invalidations().get(0).target()).as("for those left out").isEqualTo(CLICKS);

        ControlState full = state;
        assertThatThrownBy(() -> {
            ControlState grown = full;
            for (int i = 0; i < ControlState.MOST_STEERED; i++) {
                grown = grown.pinned(new Target("web", new UUID(random.nextLong(), random.nextLong()).toString(), "")).growingWithinBounds(grown);
                assertThat(PackedState.of(grown).text()).hasSizeLessThan(2 * ControlState.MOST_PACKED_BYTES);
            }
        }).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("compressed to " + ControlState.MOST_PACKED_BYTES);
    }

    @Test
    void controlFileOfManyMegabytes()
            throws IOException
    {
        Files.writeString(directory.resolve("hive.json"), " ".repeat(ControlFile.MOST_BYTES + 1));
        Control coordinator = coordinator(directory);
        assertThat(coordinator.current()).isEmpty();
        assertThatThrownBy(() -> coordinator.change(state -> state.invalidated(ALL))).isInstanceOf(IOException.class).hasMessageContaining(
                "at most " + ControlFile.MOST_BYTES);
    }

    @Test
    void laterWordForTheSameNamesTakesThePlaceOfTheEarlier()
    {
        ControlState state = ControlState.initial("here")
                .ruled(new Rule(false, "web", "clicks"))
                .ruled(new Rule(true, "web", "*"))
                .ruled(new Rule(true, "web", "clicks"));
        assertThat(state.rules()).containsExactly(new Rule(true, "web", "clicks"), new Rule(true, "web", "*"));
        assertThat(state.unruled("web", "*").rules()).containsExactly(new Rule(true, "web", "clicks"));
        assertThat(state.pinned(DAY).pinned(CLICKS).pins()).containsExactly(CLICKS);
        assertThat(state.pinned(DAY).pinned(DAY).pins()).containsExactly(DAY);
        assertThat(state.pinned(CLICKS).unpinned(WEB).pins()).isEmpty();
        assertThat(state.bounded(WEB, 1L).bounded(WEB, 2L).quotas()).containsExactly(new ControlState.Quota(WEB, 2));
        assertThat(state.bounded(WEB, 1L).bounded(WEB, null).quotas()).isEmpty();
    }

    @Test
    void nothingIsReadOrWrittenThroughALink()
            throws IOException
    {
        Path control = Files.createDirectory(directory.resolve("control"));
        Path precious = Files.writeString(directory.resolve("precious"), "precious");
        Control coordinator = coordinator(control);
        for (String name : List.of("hive.json.lock", "hive.json")) {
            Path link = Files.createSymbolicLink(control.resolve(name), precious);
            assertThatThrownBy(() -> coordinator.change(state -> state.invalidated(CLICKS))).hasMessageContaining(name + " is a symbolic link");
            Files.delete(link);
        }
        Files.createSymbolicLink(control.resolve("hive.json.new"), precious);
        coordinator.change(state -> state.invalidated(CLICKS));
        assertThat(precious).hasContent("precious");
    }

    /* The disk of a cache directory may not be mounted: what is created in its place would be on another disk. */
    @Test
    void cacheDirectoryIsNotCreated()
            throws IOException
    {
        Path pages = Files.createDirectory(directory.resolve("pages"));
        PageCacheConfig config = PageCacheConfig.builder().baseDirectories(List.of(pages, directory.resolve("unmounted"))).capacityBytes(64 << 20)
                .minFreeSpaceBytes(0).build();
        try (PageCache cache = PageCaches.open(config)) {
            Control there = new Control("hive", new ControlConfig().setDirectory(pages.resolve("control").toString()), Set.of(layer), Optional.of(
                    cache));
            there.change(state -> state.invalidated(CLICKS));
            assertThat(pages.resolve("control/hive.json")).exists();
            Path lost = directory.resolve("unmounted/control");
            Control gone = new Control("hive", new ControlConfig().setDirectory(lost.toString()), Set.of(layer), Optional.of(cache));
            assertThatThrownBy(() -> gone.change(state -> state.invalidated(CLICKS))).isInstanceOf(IOException.class)
                    .hasMessageContaining("the cache directory " + directory.resolve("unmounted") + " does not exist");
            assertThat(directory.resolve("unmounted")).doesNotExist();
        }
        try (PageCache again = PageCaches.open(PageCacheConfig.builder().baseDirectories(List.of(pages)).capacityBytes(64 << 20).minFreeSpaceBytes(0)
                .build())) {
            assertThat(pages.resolve("control/hive.json")).as("is no page").exists();
            assertThat(again.stats().store().currentQuarantinedDirectories()).isZero();
        }
    }

    @Test
    void directoryThatOthersMayWriteToIsRefused()
            throws IOException
    {
        Path control = Files.createDirectory(directory.resolve("control"));
        Files.setAttribute(control, "unix:mode", 0777);
        assertThatThrownBy(() -> coordinator(control).change(state -> state.invalidated(CLICKS)))
                .hasMessageContaining("cache.control-directory is " + control)
                .hasMessageContaining("chmod go-w " + control);
        assertThat(control).isEmptyDirectory();
    }
}
