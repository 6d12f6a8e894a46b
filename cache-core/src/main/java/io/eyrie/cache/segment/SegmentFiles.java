// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.crypt.GranuleCipher;
import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceFile;
import io.eyrie.cache.device.DeviceOutcome;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** Creates, opens and deletes the segment files of one folder. Reports disk failures to its owner; a segment is null then. */
final class SegmentFiles
{
    static final String SUFFIX = ".segment";
    private static final System.Logger logger = System.getLogger(SegmentFiles.class.getName());
    private static final int ID_DIGITS = 3;

    private final Device device;
    private final Path folder;
    private final Optional<KeyRing> keys;
    private final DiskGuard guard;
    private final BiConsumer<String, DeviceException> failed;
    private final LongSupplier generations;
    private volatile boolean straysLogged;

    SegmentFiles(StoreContext context, Path folder, DiskGuard guard, BiConsumer<String, DeviceException> failed)
    {
        device = context.device();
        keys = context.keys();
        generations = context.parts().generations();
        this.folder = folder;
        this.guard = guard;
        this.failed = failed;
    }

    /** Creates an empty segment of a new generation. */
    @Nullable
    Segment create(int id, int slotBytes, int slots)
    {
        long generation = generations.getAsLong();
        try {
            DeviceFile file = guard.watch(() -> device.open(path(id, generation), Device.OpenMode.REPLACE));
            return new Segment(id, generation, slotBytes, slots, file, keys.map(ring -> ring.newGranuleCipher(generation)).orElse(null));
        }
        catch (DeviceException e) {
            if (e.outcome() != DeviceOutcome.NO_SPACE) {
                failed.accept("creating a segment", e);
            }
            return null;
        }
    }

    /** Opens an existing segment; null if its file is missing or not a regular file, or its key is unknown. */
    @Nullable
    Segment open(int id, long generation, int slotBytes, int slots, byte[] wrappedKey)
    {
        GranuleCipher cipher = keys.flatMap(ring -> ring.granuleCipher(generation, wrappedKey)).orElse(null);
        if (cipher == null && (keys.isPresent() || wrappedKey.length > 0)) {
            return null;
        }
        try {
            // first only for reading, so that it is not created
            device.open(path(id, generation), Device.OpenMode.READ).close();
            return new Segment(id, generation, slotBytes, slots, device.open(path(id, generation), Device.OpenMode.READ_WRITE), cipher);
        }
        catch (DeviceException e) {
            if (e.outcome() != DeviceOutcome.MISSING && e.outcome() != DeviceOutcome.UNSAFE) {
                failed.accept("opening a segment", e);
            }
            return null;
        }
    }

    void delete(Segment segment)
    {
        try {
            guard.watch(() -> {
                device.delete(path(segment.id(), segment.generation()));
                return segment;
            });
        }
        catch (DeviceException e) {
            failed.accept("deleting a segment", e);
        }
    }

    /** Deletes all segment files except these. A file that cannot be deleted remains and is logged once; it costs only its space. */
    void deleteAllBut(List<Segment> segments)
            throws DeviceException
    {
        Set<Path> kept = segments.stream().map(segment -> path(segment.id(), segment.generation())).collect(Collectors.toSet());
        List<Path> strays = new ArrayList<>();
        for (Device.Entry entry : device.list(folder)) {
            if (entry.path().toString().endsWith(SUFFIX) && !kept.contains(entry.path()) && !isDeleted(entry)) {
                strays.add(entry.path());
            }
        }
        if (!strays.isEmpty() && !straysLogged) {
            straysLogged = true;
            logger.log(Level.WARNING, () -> strays.size() + " entries of " + folder
                    + " are not segments of the cache and cannot be deleted, such as " + strays.get(0) + ". Eyrie ignores them; remove them");
        }
    }

    private boolean isDeleted(Device.Entry entry)
    {
        try {
            if (!entry.directory()) {
                device.delete(entry.path());
            }
            return !entry.directory();
        }
        catch (DeviceException e) {
            logger.log(Level.DEBUG, () -> "Deleting " + entry.path() + " failed", e);
            return false;
        }
    }

    /** The free space on the disk; if it cannot be measured, a huge number, so that the next write reveals a full disk. */
    long usableBytes()
    {
        try {
            return guard.watch(() -> device.usableBytes(folder));
        }
        catch (DeviceException e) {
            failed.accept("measuring the free space", e);
            return Long.MAX_VALUE / 2;
        }
    }

    /** Whether an operation takes longer than the disk timeout. */
    boolean isLate()
    {
        return guard.isLate();
    }

    private Path path(int id, long generation)
    {
        return folder.resolve(name(id, generation));
    }

    static String name(int id, long generation)
    {
        String number = Integer.toHexString(id);
        return "0".repeat(ID_DIGITS - number.length()) + number + "-" + Long.toHexString(generation) + SUFFIX;
    }
}
