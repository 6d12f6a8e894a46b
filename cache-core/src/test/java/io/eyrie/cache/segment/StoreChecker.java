// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceOutcome;

import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/** Checks that an idle store is consistent, internally and with its files. It is cheap enough to run after each step of a long test. */
final class StoreChecker
{
    private StoreChecker()
    {}

    static void check(SegmentPageStore store, Device device)
    {
        check(store, device, false);
    }

    /** @param strays whether there may be segment files that could not be deleted */
    static void check(SegmentPageStore store, Device device, boolean strays)
    {
        for (StoreDirectory directory : store.directories()) {
            PageTable table = directory.table();
            if (table != null) {
                table.inspect(space -> check(space, directory, device, strays));
            }
        }
    }

    private static void expect(boolean holds, String what, Object of)
    {
        if (!holds) {
            throw new AssertionError(what + ": " + of);
        }
    }

    private static void check(PageSpace space, StoreDirectory directory, Device device, boolean strays)
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
            expect(index.find(index.fingerprint(entry)) == entry, "entry is in another place", entry);
            expect(fingerprints.add(index.fingerprint(entry)), "fingerprint is there twice", entry);
            expect(space.scopes().isKnown(index.scope(entry)), "scope is not known", entry);
            int location = index.location(entry);
            Segment segment = segments.get(Segment.segmentOf(location));
            int slot = Segment.slotOf(location);
            if (segment == null) {
                throw new AssertionError("segment of entry " + entry + " is missing");
            }
            expect(segment.isTaken(slot), "slot of entry is free", entry);
            expect(directory.settings().layout().slotBytes(index.lengthBytes(entry)) == segment.slotBytes(), "slot has another length", entry);
            BitSet slots = taken.computeIfAbsent(Segment.segmentOf(location), unused -> new BitSet());
            expect(!slots.get(slot), "slot is taken twice", location);
            slots.set(slot);
            expect(index.granules(entry) != 0, "a page at rest has no granules", entry);
            published.add(entry);
        }
        expect(index.size() == pages, "size of the index", index.size());
        checkPins(space, published);
        Set<Integer> inPolicy = new HashSet<>();
        space.eviction().forEach(entry -> expect(inPolicy.add(entry), "entry is twice in the policy", entry));
        expect(inPolicy.equals(published), "the policy has other entries than the index", inPolicy);
        checkSpace(segments, taken, directory);
        checkFiles(segments, directory, device, strays);
        expect(space.memoryBytes() <= directory.settings().indexMemoryBytes(), "the index is too large", space.memoryBytes());
        // the index never had more entries, not even during the replay of the journal
        expect(index.entries() * (long) TableSettings.BYTES_PER_PAGE <= directory.settings().indexMemoryBytes(), "the index was too large", index
                .entries());
    }

    private static void checkPins(PageSpace space, Set<Integer> published)
    {
        Set<Integer> pinned = new HashSet<>();
        for (int entry : published) {
            if (space.scopes().isPinned(space.index().scope(entry))) {
                pinned.add(Segment.segmentOf(space.index().location(entry)));
            }
        }
        space.segments().all().forEach(segment -> expect(segment.isPinned() == pinned.contains(segment.id()), "pins", segment));
    }

    private static void checkSpace(Segments segments, Map<Integer, BitSet> taken, StoreDirectory directory)
    {
        long takenBytes = 0;
        long allocatedBytes = 0;
        for (Segment segment : segments.all()) {
            BitSet slots = taken.get(segment.id());
            expect(segment.takenCount() == (slots == null ? 0 : slots.cardinality()), "slots that are taken", segment);
            takenBytes += segment.takenBytes();
            allocatedBytes += segment.allocatedBytes();
        }
        expect(segments.takenBytes() == takenBytes, "bytes that are taken", segments.takenBytes());
        expect(segments.allocatedBytes() == allocatedBytes, "bytes of segments", allocatedBytes);
        expect(allocatedBytes <= directory.settings().capacityBytes(), "more than the capacity is used", allocatedBytes);
    }

    private static void checkFiles(Segments segments, StoreDirectory directory, Device device, boolean strays)
    {
        if (strays) {
            return;
        }
        Path folder = directory.base().resolve(StoreDirectory.FOLDER);
        List<Device.Entry> files;
        try {
            files = device.list(folder).stream().filter(entry -> entry.path().toString().endsWith(SegmentFiles.SUFFIX)).toList();
        }
        catch (DeviceException e) {
            throw new UncheckedIOException(e);
        }
        expect(files.size() == segments.all().size(), "files beside segments", files);
        long bytes = files.stream().mapToLong(file -> (file.lengthBytes() + 4095) / 4096 * 4096).sum();
        long mostBytes = segments.all().stream().mapToLong(Segment::fileBytes).sum();
        expect(bytes <= mostBytes, "files are longer than segments", bytes);
    }

    /** Checks that the header of each slot in use names its page. */
    static void checkHeaders(SegmentPageStore store)
    {
        for (StoreDirectory directory : store.directories()) {
            PageTable table = directory.table();
            if (table != null) {
                table.inspect(space -> space.index().forEach(entry -> checkHeader(space, directory.settings().layout(), entry)));
            }
        }
    }

    private static void checkHeader(PageSpace space, Layout layout, int entry)
    {
        int location = space.index().location(entry);
        Segment segment = requireNonNull(space.segments().get(Segment.segmentOf(location)));
        ByteBuffer header = ByteBuffer.allocate(SlotHeader.bytes(segment.cipher() != null));
        expect(segment.readHeader(Segment.slotOf(location), header) == DeviceOutcome.OK, "header cannot be read", entry);
        Unit unit = SlotHeader.decode(layout, segment, Segment.slotOf(location), header.flip());
        expect(unit != null && unit.fingerprint() == space.index().fingerprint(entry), "header names another page", entry);
    }
}
