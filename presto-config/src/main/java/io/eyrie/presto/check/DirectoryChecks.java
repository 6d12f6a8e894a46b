// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.presto.check.Volume.AccessOfOthers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static io.airlift.units.DataSize.succinctBytes;

/** Checks the directories of the page cache and the volumes that they are on. */
final class DirectoryChecks
{
    private static final String DIRECTORIES = "cache.base-directory";
    private static final String CAPACITY = "cache.max-cache-size";
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
    private static final Set<String> REMOTE = Set.of("nfs", "nfs4", "cifs", "smb3", "fuse", "fuse.s3fs", "fuse.sshfs", "ceph", "glusterfs", "9p");
    private static final Set<String> OF_CONTAINER = Set.of("overlay", "aufs");

    private final List<Finding> findings = new ArrayList<>();
    private final PageCacheConfig config;
    private final Severity ofLittleRoom;

    private DirectoryChecks(PageCacheConfig config, Severity ofLittleRoom)
    {
        this.config = config;
        this.ofLittleRoom = ofLittleRoom;
    }

    /** @param capacityIsSet whether the operator sets the capacity */
    static List<Finding> of(PageCacheConfig config, boolean capacityIsSet)
    {
        List<Volume> volumes = new ArrayList<>();
        List<Finding> unknown = new ArrayList<>();
        for (Path directory : config.baseDirectories()) {
            try {
                volumes.add(Volume.of(directory));
            }
            catch (IOException | SecurityException e) {
                unknown.add(Finding.error(DIRECTORIES, directory.toString(), "it cannot be examined: " + e, "repair its disk, or name another"));
            }
        }
        List<Finding> all = new ArrayList<>(unknown);
        all.addAll(of(config, volumes, capacityIsSet));
        return all;
    }

    static List<Finding> of(PageCacheConfig config, List<Volume> volumes, boolean capacityIsSet)
    {
        // a capacity that nobody chose may be larger than the room on a disk that others use, too
        DirectoryChecks checks = new DirectoryChecks(config, capacityIsSet ? Severity.WARNING : Severity.NOTE);
        boolean anyUsable = volumes.stream().anyMatch(volume -> volume.isDirectory() && volume.isWritable());
        volumes.forEach(volume -> {
            checks.access(volume, anyUsable);
            checks.medium(volume);
        });
        checks.space(volumes);
        return checks.findings;
    }

    private void access(Volume volume, boolean anyUsable)
    {
        String directory = volume.directory().toString();
        if (!volume.exists()) {
            String make = "mkdir -p -m 700 " + directory + (volume.isWritable() ? "" : ", as root, then chown it to the user that Presto runs as");
            findings.add(anyUsable
                    ? Finding.warning(DIRECTORIES, directory, "it does not exist; the cache starts without it, and retries it periodically", make)
                    : Finding.error(DIRECTORIES, directory, "it does not exist", make));
        }
        else if (!volume.isDirectory()) {
            findings.add(Finding.error(DIRECTORIES, directory, "it is not a directory", "name a directory"));
        }
        else if (!volume.isWritable()) {
            String problem = "user " + System.getProperty("user.name") + " may not write to it; it is " + volume.owner() + "'s";
            String fix = "mount its volume, or chown it to the user that Presto runs as";
            findings.add(anyUsable
                    ? Finding.warning(DIRECTORIES, directory, problem + "; the cache starts without it, and retries it periodically", fix)
                    : Finding.error(DIRECTORIES, directory, problem, fix));
        }
        else {
            volume.opened().ifPresent(opened -> findings.add(opened(opened, directory)));
        }
    }

    private static Finding opened(AccessOfOthers opened, String directory)
    {
        return opened == AccessOfOthers.WRITE
                ? Finding.error(DIRECTORIES, directory, "users other than its owner may write to it, so the cache does not use it", "chmod 700 "
                        + directory)
                : new Finding(Severity.NOTE, DIRECTORIES, directory,
                        "users other than its owner may list it; only the owner can access the folders with the cached data",
                        "chmod 700 " + directory);
    }

    private void medium(Volume volume)
    {
        String directory = volume.directory().toString();
        String type = volume.fileSystem();
        if (IN_MEMORY.contains(type)) {
            findings.add(Finding.warning(DIRECTORIES, directory, "it is on " + type
                    + ": pages use the machine's memory and are lost when it restarts",
                    "name a directory on a local disk"));
        }
        else if (REMOTE.contains(type)) {
            findings.add(Finding.warning(DIRECTORIES, directory, "it is on " + type
                    + ", which is not local: a hit may be slower than the remote read that it saves",
                    "name a directory on a local disk"));
        }
        else if (OF_CONTAINER.contains(type)) {
            findings.add(Finding.warning(DIRECTORIES, directory, "it is on " + type
                    + ", a layer of the container: writes are slow, and the data is lost with the container",
                    "mount a volume of the host there"));
        }
        if (volume.rotates().orElse(false)) {
            findings.add(Finding.warning(DIRECTORIES, directory, "its disk, " + volume.deviceName()
                    + ", reports that it rotates: random reads are slow",
                    "name a directory on an SSD"));
        }
    }

    /* Directories share the capacity in proportion to the sizes of their volumes. */
    private void space(List<Volume> volumes)
    {
        Map<String, List<Volume>> byDevice = new HashMap<>();
        volumes.forEach(volume -> byDevice.computeIfAbsent(volume.device(), device -> new ArrayList<>()).add(volume));
        double all = volumes.stream().mapToDouble(Volume::totalBytes).sum();
        byDevice.values().forEach(together -> {
            Volume volume = together.get(0);
            String directories = String.join(", ", together.stream().map(each -> each.directory().toString()).toList());
            if (together.size() > 1) {
                findings.add(Finding.warning(DIRECTORIES, directories, "these are on one volume, " + volume.deviceName()
                        + ": they share its speed and fail together", "name one directory per disk"));
            }
            long wanted = (long) (config.capacityBytes() * (all == 0 ? 1 : together.size() * volume.totalBytes() / all));
            long cached = together.stream().mapToLong(Volume::cachedBytes).sum();
            long room = Math.max(0, volume.freeBytes() + cached - config.minFreeSpaceBytes());
            if (room < wanted) {
                Severity severity = room == 0 ? Severity.WARNING : ofLittleRoom;
                findings.add(new Finding(severity, CAPACITY, succinctBytes(config.capacityBytes()).toString(), "the share of " + directories + " is "
                        + succinctBytes(wanted) + ", but there is only room for " + succinctBytes(room) + ": " + succinctBytes(volume.freeBytes())
                        + " are free, " + succinctBytes(cached) + " are cached data, and cache.min-free-space reserves "
                        + succinctBytes(config.minFreeSpaceBytes()),
                        room == 0 ? "free some space, or nothing is cached there" : "lower it, or free some space; until then the cache is smaller"));
            }
        });
    }
}
