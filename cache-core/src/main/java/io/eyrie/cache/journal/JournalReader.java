// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.Device.Entry;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceOutcome;
import io.eyrie.cache.journal.FileHeader.Name;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Reads a journal of another owner, which may be writing it. Changes nothing on the disk. While the owner runs, files may disappear between listing
 * and reading. The outcome is then {@link DeviceOutcome#MISSING}, and the caller reads again.
 */
public final class JournalReader
{
    private final Device device;
    private final Path directory;

    public JournalReader(Device device, Path directory)
    {
        this.device = device;
        this.directory = directory;
    }

    /** The format that the journal's files record. */
    public record Format(int ownerVersion, int pageSizeBytes, boolean encrypted)
    {}

    /** Returns the format of the newest file whose header is intact and of a known version; empty if there is none. */
    public Optional<Format> format()
            throws DeviceException
    {
        List<Entry> newestFirst = list().stream()
                .sorted(Comparator.comparingLong(JournalReader::number).reversed())
                .toList();
        for (Entry entry : newestFirst) {
            Name name = name(entry);
            byte[] header = FileHeader.bytes(device, entry.path());
            if (name != null && FileHeader.state(header, name) == FileHeader.State.GOOD) {
                FileHeader found = FileHeader.read(header);
                return Optional.of(new Format(found.ownerVersion(), found.pageSizeBytes(), found.wrappedKey().length > 0));
            }
        }
        return Optional.empty();
    }

    /** Lists the journal's files as they are now; empty if their directory does not exist. */
    public List<Entry> list()
            throws DeviceException
    {
        try {
            return device.list(directory).stream().filter(entry -> name(entry) != null).toList();
        }
        catch (DeviceException e) {
            if (e.outcome() == DeviceOutcome.MISSING) {
                return List.of();
            }
            throw e;
        }
    }

    private static @Nullable Name name(Entry entry)
    {
        return entry.directory() ? null : Name.parse(String.valueOf(entry.path().getFileName()));
    }

    private static long number(Entry entry)
    {
        Name name = name(entry);
        return name == null ? 0 : name.number();
    }

    /**
     * Replays all records to a target, as opening the journal would.
     *
     * @param keys as for {@link FileJournal#open}
     */
    public Recovery replay(JournalConfig config, Optional<KeyRing> keys, ReplayTarget target)
    {
        return new JournalReplay(device, directory, config, keys.orElse(null), target).run().recovery();
    }
}
