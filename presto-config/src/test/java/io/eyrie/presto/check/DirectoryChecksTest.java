// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.presto.check.Volume.AccessOfOthers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class DirectoryChecksTest
{
    private static final long GIGABYTE = 1 << 30;

    @Test
    void goodDisk()
    {
        assertThat(findings(volume("/a"))).isEmpty();
    }

    @Test
    void access()
    {
        assertThat(findings(new Facts().exists(false).volume("/a"))).containsExactly("ERROR cache.base-directory is /a: it does not exist."
                + " To fix: mkdir -p -m 700 /a");
        assertThat(findings(new Facts().exists(false).writable(false).volume("/a"))).singleElement().asString().contains("as root");
        assertThat(findings(new Facts().exists(false).volume("/a"), new Facts().device("2").volume("/b"))).singleElement().asString()
                .startsWith("WARNING").contains("starts without it");
        assertThat(findings(new Facts().directory(false).volume("/a"))).singleElement().asString().startsWith("ERROR").contains("not a directory");
        assertThat(findings(new Facts().writable(false).volume("/a"))).singleElement().asString().startsWith("ERROR").contains("may not write",
                "presto's");
        assertThat(findings(new Facts().writable(false).volume("/a"), new Facts().device("2").volume("/b"))).singleElement().asString()
                .startsWith("WARNING").contains("may not write", "starts without it");
        assertThat(findings(new Facts().writable(false).volume("/a"), new Facts().exists(false).device("2").volume("/b"))).hasSize(2)
                .allSatisfy(finding -> assertThat(finding).asString().startsWith("ERROR"));
        assertThat(findings(new Facts().opened(AccessOfOthers.WRITE).volume("/a"))).singleElement().asString().startsWith("ERROR").contains(
                "chmod 700 /a");
        assertThat(findings(new Facts().opened(AccessOfOthers.READ).volume("/a"))).singleElement().asString().startsWith("NOTE").contains(
                "chmod 700 /a");
    }

    @Test
    void medium()
    {
        assertThat(findings(new Facts().fileSystem("tmpfs").volume("/a"))).singleElement().asString().contains("the machine's memory");
        assertThat(findings(new Facts().fileSystem("nfs4").volume("/a"))).singleElement().asString().contains("not local");
        assertThat(findings(new Facts().fileSystem("overlay").volume("/a"))).singleElement().asString().contains("container");
        assertThat(findings(new Facts().rotates().volume("/a"))).singleElement().asString().contains("rotates", "SSD");
    }

    @Test
    void twoDirectoriesOnOneDisk()
    {
        assertThat(findings(volume("/a"), volume("/b"))).singleElement().asString().contains("/a, /b", "one volume", "one directory per disk");
        assertThat(findings(volume("/a"), new Facts().device("2").volume("/b"))).isEmpty();
    }

    @Test
    void space()
    {
        assertThat(findings(new Facts().free(10 * GIGABYTE).volume("/a"))).singleElement().asString()
                .contains("cache.max-cache-size is 10GB", "/a is 10GB", "room for 9GB", "cache.min-free-space reserves 1GB");
        // the space of the existing cache counts as available
        assertThat(findings(new Facts().free(10 * GIGABYTE).cached(GIGABYTE).volume("/a"))).isEmpty();
        assertThat(findings(new Facts().free(GIGABYTE).volume("/a"))).singleElement().asString().contains("room for 0B", "or nothing is cached");
        // two disks of one size take half each
        assertThat(findings(new Facts().free(6 * GIGABYTE).volume("/a"), new Facts().free(6 * GIGABYTE).device("2").volume("/b"))).isEmpty();
    }

    @Test
    void volumeOfThisMachine(@TempDir Path directory)
            throws IOException
    {
        Path segments = Files.createDirectories(directory.resolve("segments-v2"));
        Files.write(segments.resolve("1"), new byte[1000]);

        Volume there = Volume.of(directory);
        assertThat(there.exists() && there.isDirectory() && there.isWritable()).isTrue();
        assertThat(there.cachedBytes()).isEqualTo(1000);
        assertThat(there.totalBytes()).isPositive();
        assertThat(there.fileSystem()).isNotEmpty();

        Volume missing = Volume.of(directory.resolve("a/b"));
        assertThat(missing.exists() || missing.isDirectory()).isFalse();
        assertThat(missing.isWritable()).isTrue();
        assertThat(missing.device()).isEqualTo(there.device());
    }

    @Test
    void queueOfADiskAndOfItsPartition(@TempDir Path sys)
            throws IOException
    {
        Path disk = sys.resolve("devices/sda");
        Files.createDirectories(disk.resolve("queue"));
        Files.writeString(disk.resolve("queue/rotational"), "1\n");
        Path partition = Files.createDirectories(disk.resolve("sda1"));
        Path classes = Files.createDirectories(sys.resolve("class"));
        Files.createSymbolicLink(classes.resolve("sda"), disk);
        Files.createSymbolicLink(classes.resolve("sda1"), partition);

        assertThat(Volume.rotates("/dev/sda", classes)).contains(true);
        assertThat(Volume.rotates("/dev/sda1", classes)).contains(true);
        Files.writeString(disk.resolve("queue/rotational"), "0\n");
        assertThat(Volume.rotates("/dev/sda1", classes)).contains(false);
        assertThat(Volume.rotates("overlay", classes)).isEmpty();
    }

    @Test
    void diskOfAVirtualMachineIsNotKnownToRotate(@TempDir Path sys)
            throws IOException
    {
        Path classes = Files.createDirectories(sys.resolve("class"));
        for (String name : List.of("vda", "xvdf", "sdb", "sdc", "dm-0")) {
            Path disk = sys.resolve("devices").resolve(name);
            Files.createDirectories(disk.resolve("queue"));
            Files.createDirectories(disk.resolve("device"));
            Files.writeString(disk.resolve("queue/rotational"), "1\n");
            Files.createSymbolicLink(classes.resolve(name), disk);
        }
        Path partition = Files.createDirectories(sys.resolve("devices/vda/vda1"));
        Files.createSymbolicLink(classes.resolve("vda1"), partition);
        Files.writeString(sys.resolve("devices/sdb/device/vendor"), "Msft    \n");
        Files.writeString(sys.resolve("devices/sdb/device/model"), "Virtual Disk\n");
        Files.writeString(sys.resolve("devices/sdc/device/vendor"), "SEAGATE \n");
        Files.createDirectories(sys.resolve("devices/dm-0/slaves/vda2"));

        for (String name : List.of("vda", "vda1", "xvdf", "sdb", "dm-0")) {
            assertThat(Volume.rotates("/dev/" + name, classes)).as(name).isEmpty();
        }
        assertThat(Volume.rotates("/dev/sdc", classes)).contains(true);
        Files.writeString(sys.resolve("devices/vda/queue/rotational"), "0\n");
        assertThat(Volume.rotates("/dev/vda", classes)).contains(false);
    }

    @Test
    void capacityThatNobodyChose()
    {
        PageCacheConfig config = PageCacheConfig.builder().baseDirectories(List.of(Path.of("/a"))).capacityBytes(10 * GIGABYTE).build();
        assertThat(DirectoryChecks.of(config, List.of(new Facts().free(6 * GIGABYTE).volume("/a")), false)).singleElement()
                .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.NOTE));
        assertThat(DirectoryChecks.of(config, List.of(new Facts().free(GIGABYTE / 2).volume("/a")), false)).singleElement()
                .satisfies(finding -> assertThat(finding.severity()).as("nothing is cached").isEqualTo(Severity.WARNING));
    }

    private static Volume volume(String directory)
    {
        return new Facts().volume(directory);
    }

    private static List<String> findings(Volume... volumes)
    {
        PageCacheConfig config = PageCacheConfig.builder()
                .baseDirectories(Stream.of(volumes).map(Volume::directory).toList())
                .capacityBytes(10 * GIGABYTE)
                .minFreeSpaceBytes(GIGABYTE)
                .build();
        return DirectoryChecks.of(config, List.of(volumes), true).stream().map(finding -> finding.severity() + " " + finding.text()).toList();
    }

    /** A good disk, except for a test's changes. */
    private static final class Facts
    {
        private boolean exists = true;
        private boolean directory = true;
        private boolean writable = true;
        private Optional<AccessOfOthers> opened = Optional.empty();
        private String fileSystem = "ext4";
        private String device = "1";
        private long free = 50 * GIGABYTE;
        private long cached;
        private Optional<Boolean> rotates = Optional.of(false);

        Facts exists(boolean value)
        {
            exists = value;
            directory = value;
            return this;
        }

        Facts directory(boolean value)
        {
            directory = value;
            return this;
        }

        Facts writable(boolean value)
        {
            writable = value;
            return this;
        }

        Facts opened(AccessOfOthers value)
        {
            opened = Optional.of(value);
            return this;
        }

        Facts fileSystem(String value)
        {
            fileSystem = value;
            return this;
        }

        Facts device(String value)
        {
            device = value;
            return this;
        }

        Facts free(long value)
        {
            free = value;
            return this;
        }

        Facts cached(long value)
        {
            cached = value;
            return this;
        }

        Facts rotates()
        {
            rotates = Optional.of(true);
            return this;
        }

        Volume volume(String path)
        {
            return new Volume(Path.of(path), exists, directory, writable, "presto", opened, fileSystem, device, 100 * GIGABYTE, free, cached,
                    rotates);
        }
    }
}
