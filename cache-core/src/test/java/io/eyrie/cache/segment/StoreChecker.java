package io.eyrie.cache.segment;

import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.DeviceException;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks that a store at rest agrees with itself and with the files that it has. */
final class StoreChecker
{
    private StoreChecker()
    {}

    static void check(SegmentPageStore store, Device device)
    {
        for (StoreDirectory directory : store.directories()) {
            PageTable table = directory.table();
            if (table != null) {
                table.inspect(space -> check(space, directory, device));
            }
        }
    }

    private static void check(PageSpace space, StoreDirectory directory, Device device)
    {
        PageIndex index = space.index();
        Segments segments = space.segments();
        Map<Integer, BitSet> taken = new HashMap<>();
        Set<Long> fingerprints = new HashSet<>();
        Set<Integer> published = new HashSet<>();
        int pages = 0;
        for (int entry = 0; entry < index.entries(); entry++) {
            if (!index.isUsed(entry)) {
                continue;
            }
            pages++;
            assertThat(index.find(index.fingerprint(entry))).as("place of entry %s", entry).isEqualTo(entry);
            assertThat(fingerprints.add(index.fingerprint(entry))).isTrue();
            assertThat(space.scopes().isKnown(index.scope(entry))).isTrue();
            int location = index.location(entry);
            Segment segment = segments.get(Segment.segmentOf(location));
            assertThat(segment).as("segment of entry %s", entry).isNotNull();
            int slot = Segment.slotOf(location);
            Layout layout = directory.settings().layout();
            if (segment != null) {
                assertThat(segment.isTaken(slot)).isTrue();
                assertThat(layout.slotBytes(index.lengthBytes(entry))).isEqualTo(segment.slotBytes());
            }
            BitSet slots = taken.computeIfAbsent(Segment.segmentOf(location), unused -> new BitSet());
            assertThat(slots.get(slot)).as("slot %s is taken once", location).isFalse();
            slots.set(slot);
            assertThat(index.granules(entry)).as("a page at rest has granules").isNotZero();
            published.add(entry);
        }
        assertThat(index.size()).isEqualTo(pages);
        segments.all().forEach(segment -> assertThat(segment.isPinned()).as("pins of %s", segment).isEqualTo(published.stream().anyMatch(
                entry -> Segment.segmentOf(index.location(entry)) == segment.id() && space.scopes().isPinned(index.scope(entry)))));
        Set<Integer> inPolicy = new HashSet<>();
        space.eviction().forEach(entry -> assertThat(inPolicy.add(entry)).isTrue());
        assertThat(inPolicy).isEqualTo(published);
        checkSpace(segments, taken, directory);
        checkFiles(segments, directory, device);
        assertThat(space.memoryBytes()).isLessThanOrEqualTo(directory.settings().indexMemoryBytes());
        // there never were more, neither while the journal was replayed
        assertThat(index.entries() * (long) TableSettings.BYTES_PER_PAGE).isLessThanOrEqualTo(directory.settings().indexMemoryBytes());
    }

    private static void checkSpace(Segments segments, Map<Integer, BitSet> taken, StoreDirectory directory)
    {
        long takenBytes = 0;
        long allocatedBytes = 0;
        for (Segment segment : segments.all()) {
            assertThat(segment.takenCount()).as("slots of %s", segment).isEqualTo(taken.getOrDefault(segment.id(), new BitSet()).cardinality());
            takenBytes += segment.takenBytes();
            allocatedBytes += segment.allocatedBytes();
        }
        assertThat(segments.takenBytes()).isEqualTo(takenBytes);
        assertThat(segments.allocatedBytes()).isEqualTo(allocatedBytes).isLessThanOrEqualTo(directory.settings().capacityBytes());
    }

    private static void checkFiles(Segments segments, StoreDirectory directory, Device device)
    {
        Path folder = directory.base().resolve(StoreDirectory.FOLDER);
        List<Device.Entry> files;
        try {
            files = device.list(folder).stream().filter(entry -> entry.path().toString().endsWith(".segment")).toList();
        }
        catch (DeviceException e) {
            throw new UncheckedIOException(e);
        }
        assertThat(files).hasSize(segments.all().size());
        assertThat(files.stream().mapToLong(file -> (file.lengthBytes() + 4095) / 4096 * 4096).sum()).isLessThanOrEqualTo(segments.allocatedBytes());
    }
}
