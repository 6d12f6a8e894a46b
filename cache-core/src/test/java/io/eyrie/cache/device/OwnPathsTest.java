// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class OwnPathsTest
{
    private final Path root;
    private final Path directory;
    private final int user;

    OwnPathsTest(@TempDir Path root)
            throws IOException
    {
        this.root = root;
        directory = Files.createDirectory(root.resolve("d"));
        user = (int) Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    private void chmod(int mode)
            throws IOException
    {
        Files.setAttribute(directory, "unix:mode", mode);
    }

    private void isRefused(String... words)
    {
        assertThatThrownBy(() -> OwnPaths.checkDirectory(directory)).isInstanceOfSatisfying(UnsafePathException.class, e -> {
            assertThat(e).hasMessageContaining(directory.toString());
            assertThat(e.problem() + e.fix()).contains(words);
        });
    }

    @Test
    void directoryThatEveryUserMayWriteToIsRefused()
            throws IOException
    {
        for (int mode : new int[] {0777, 0702, 0733, 01777, 02777}) {
            chmod(mode);
            isRefused("every user may write to", Integer.toOctalString(mode), "chmod go-w " + directory);
        }
    }

    @Test
    void directoryOfAGroupIsUsedOnlyIfItIsSticky()
            throws IOException
    {
        for (int mode : new int[] {0775, 0770, 0720, 02775}) {
            chmod(mode);
            isRefused("its group may write to", Integer.toOctalString(mode), "chmod g-w " + directory);
            chmod(mode | 01000);
            OwnPaths.checkDirectory(directory);
        }
    }

    @Test
    void directoryThatOthersMayReadIsUsed()
            throws IOException
    {
        for (int mode : new int[] {0700, 0755, 0750, 02755}) {
            chmod(mode);
            OwnPaths.checkDirectory(directory);
        }
    }

    @Test
    void directoryOfAnotherUserIsRefused()
            throws IOException
    {
        OwnPaths.checkDirectory(directory, user);
        if (user == 0) {
            // root may change it in any case
            OwnPaths.checkDirectory(directory, 4711);
            Files.setAttribute(directory, "unix:uid", 4711);
            OwnPaths.checkDirectory(directory, 4711);
            isRefused("belongs to user 4711", "chown ");
        }
        else {
            assertThatThrownBy(() -> OwnPaths.checkDirectory(directory, user + 1)).isInstanceOf(UnsafePathException.class);
            OwnPaths.checkDirectory(Path.of("/usr"));
        }
    }

    @Test
    void directoryIsNoLinkAndThere()
            throws IOException
    {
        Path link = Files.createSymbolicLink(root.resolve("link"), directory);
        assertThatThrownBy(() -> OwnPaths.checkDirectory(link)).isInstanceOf(UnsafePathException.class).hasMessageContaining("symbolic link");
        assertThatThrownBy(() -> OwnPaths.createDirectory(link)).isInstanceOf(UnsafePathException.class);
        assertThat(OwnPaths.resolveDirectory(link)).isEqualTo(directory.toRealPath());
        assertThatThrownBy(() -> OwnPaths.checkDirectory(root.resolve("missing"))).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> OwnPaths.checkDirectory(Files.createFile(root.resolve("file")))).isInstanceOf(NotDirectoryException.class);
    }

    @Test
    void fileBehindALinkIsNeitherReadNorWritten()
            throws IOException
    {
        Path target = Files.writeString(root.resolve("target"), "precious");
        Path link = Files.createSymbolicLink(directory.resolve("link"), target);
        assertThatThrownBy(() -> OwnPaths.readFile(link)).isInstanceOf(UnsafePathException.class);
        assertThatThrownBy(() -> OwnPaths.openFile(link)).isInstanceOf(UnsafePathException.class).hasMessageContaining("remove it");
        try (FileChannel channel = OwnPaths.replaceFile(link)) {
            channel.write(ByteBuffer.wrap(new byte[] {1}));
        }
        assertThat(target).hasContent("precious");
        assertThat(Files.isRegularFile(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(link))).isEqualTo("rw-------");

        Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), root.resolve("not yet"));
        assertThatThrownBy(() -> OwnPaths.openFile(dangling)).isInstanceOf(UnsafePathException.class);
        assertThat(root.resolve("not yet")).doesNotExist();
    }

    @Test
    void fileThatHasAnotherNameIsNotWrittenToWhenItIsReplaced()
            throws IOException
    {
        Path target = Files.writeString(root.resolve("target"), "precious");
        Files.createLink(directory.resolve("hard"), target);
        try (FileChannel channel = OwnPaths.replaceFile(directory.resolve("hard"))) {
            assertThat(channel.size()).isZero();
        }
        assertThat(target).hasContent("precious");
    }

    @Test
    void fileOfAnotherUserIsRefused()
            throws IOException
    {
        Path file = Files.createFile(directory.resolve("file"));
        OwnPaths.checkFile(file, user);
        OwnPaths.checkFile(directory.resolve("missing"), user);
        if (user == 0) {
            OwnPaths.checkFile(file, 4711);
            Files.setAttribute(file, "unix:uid", 4711);
        }
        assertThatThrownBy(() -> OwnPaths.checkFile(file, user == 0 ? 0 : user + 1)).isInstanceOf(UnsafePathException.class)
                .hasMessageContaining("belongs to user");
        assertThatThrownBy(() -> OwnPaths.openFile(directory)).isInstanceOf(UnsafePathException.class).hasMessageContaining("not a regular file");
    }

    @Test
    void whatIsMadeIsForItsOwner()
            throws IOException
    {
        OwnPaths.createDirectory(directory.resolve("made"));
        OwnPaths.createDirectory(directory.resolve("made"));
        assertThat(Files.getPosixFilePermissions(directory.resolve("made"))).containsExactlyInAnyOrder(
                PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
        OwnPaths.openFile(directory.resolve("file")).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("file")))).isEqualTo("rw-------");
    }
}
