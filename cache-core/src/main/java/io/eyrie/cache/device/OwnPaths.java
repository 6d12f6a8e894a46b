// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Enforces the rule for local directories and files that Eyrie writes: no other user can change them, or choose where they lead. */
public final class OwnPaths
{
    /*
     * A directory   is not a symbolic link. It belongs to the process's user or to root. Other users may not write to it. Its group may write to it
     *               only if it is sticky, so that a member of the group cannot remove or replace files of another user
     * A file        is a regular file of the process's user or of root, never opened through a symbolic link
     * User          The process's user is the user id with which Linux creates its files. If /proc does not have it, the names of owners are compared.
     */
    private static final int ROOT = 0;
    private static final int OTHERS_WRITE = 0002;
    private static final int GROUP_WRITE = 0020;
    private static final int STICKY = 01000;
    private static final int MODE_BITS = 07777;
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String USER_IDS = "Uid:";
    private static final int UNKNOWN = -1;
    private static final int USER = user();

    private OwnPaths()
    {}

    /**
     * Resolves the links on the way to a directory once, because operators may use links, and checks the directory.
     *
     * @return its real path
     */
    public static Path resolveDirectory(Path directory)
            throws IOException
    {
        Path real = directory.toRealPath();
        checkDirectory(real);
        return real;
    }

    /**
     * Checks an existing directory.
     *
     * @throws UnsafePathException if it violates the rule
     * @throws NoSuchFileException if it does not exist
     * @throws NotDirectoryException if it is not a directory
     */
    public static void checkDirectory(Path directory)
            throws IOException
    {
        checkDirectory(directory, USER);
    }

    /** @param user the user id to check for */
    static void checkDirectory(Path directory, int user)
            throws IOException
    {
        BasicFileAttributes attributes = attributes(directory);
        if (attributes.isSymbolicLink()) {
            throw new UnsafePathException(directory + " is a symbolic link", "put a directory in its place");
        }
        if (!attributes.isDirectory()) {
            throw new NotDirectoryException(directory.toString());
        }
        if (!knowsOwners(directory)) {
            return;
        }
        int owner = unix(directory, "uid");
        if (owner != ROOT && !isOf(directory, owner, user)) {
            throw new UnsafePathException(notOwn(directory, user), "chown " + userName(user) + " " + directory);
        }
        int mode = unix(directory, "mode") & MODE_BITS;
        if ((mode & OTHERS_WRITE) != 0) {
            throw new UnsafePathException("every user may write to " + directory + ": its mode is " + Integer.toOctalString(mode),
                    "chmod go-w " + directory + ", or name a directory of mode 700 within it");
        }
        if ((mode & GROUP_WRITE) != 0 && (mode & STICKY) == 0) {
            throw new UnsafePathException("its group may write to " + directory + ": its mode is " + Integer.toOctalString(mode),
                    "chmod g-w " + directory + ", or name a directory of mode 700 within it");
        }
    }

    /** Creates a directory that only its owner may use, or checks an existing one. */
    public static void createDirectory(Path directory)
            throws IOException
    {
        try {
            Files.createDirectory(directory, ownerAlone(directory, "rwx------"));
        }
        catch (FileAlreadyExistsException e) {
            checkDirectory(directory);
        }
    }

    /**
     * Checks a file, if it exists.
     *
     * @throws UnsafePathException if it is a link, not a regular file, or another user's
     */
    static void checkFile(Path file)
            throws IOException
    {
        checkFile(file, USER);
    }

    static void checkFile(Path file, int user)
            throws IOException
    {
        if (checkRegular(file) && knowsOwners(file)) {
            int owner = unix(file, "uid");
            if (owner != ROOT && !isOf(file, owner, user)) {
                throw new UnsafePathException(notOwn(file, user), "remove it");
            }
        }
    }

    /** Whether a file exists; fails if it is not a regular file. */
    static boolean checkRegular(Path file)
            throws IOException
    {
        BasicFileAttributes attributes;
        try {
            attributes = attributes(file);
        }
        catch (NoSuchFileException e) {
            return false;
        }
        if (!attributes.isRegularFile()) {
            throw new UnsafePathException(file + (attributes.isSymbolicLink() ? " is a symbolic link" : " is not a regular file"), "remove it");
        }
        return true;
    }

    /** Reads a whole file. */
    public static byte[] readFile(Path file)
            throws IOException
    {
        checkFile(file);
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return in.readAllBytes();
        }
    }

    /** Opens a file for reading and writing; creates it, accessible only by its owner, if it does not exist. */
    public static FileChannel openFile(Path file)
            throws IOException
    {
        checkFile(file);
        return open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
    }

    /** Opens a new, empty file for reading and writing, accessible only by its owner. An existing file loses this name and is not written to. */
    public static FileChannel replaceFile(Path file)
            throws IOException
    {
        Files.deleteIfExists(file);
        return open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    }

    /** Opens a file; creates it only if the options include that. */
    static FileChannel open(Path file, StandardOpenOption... options)
            throws IOException
    {
        Set<OpenOption> all = new HashSet<>(List.of(options));
        all.add(LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, all, ownerAlone(file, "rw-------"));
    }

    /** The attributes that restrict a new file or directory to its owner, if the file system has owners. */
    public static FileAttribute<?>[] ownerAlone(Path path, String permissions)
    {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))}
                : new FileAttribute<?>[0];
    }

    static BasicFileAttributes attributes(Path path)
            throws IOException
    {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean knowsOwners(Path path)
    {
        return path.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    private static int unix(Path path, String attribute)
            throws IOException
    {
        return (int) Files.getAttribute(path, "unix:" + attribute, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean isOf(Path path, int owner, int user)
            throws IOException
    {
        return user == UNKNOWN ? ownerName(path).equals(System.getProperty("user.name")) : owner == user;
    }

    private static String notOwn(Path path, int user)
            throws IOException
    {
        return path + " belongs to user " + ownerName(path) + ", and this process runs as user " + userName(user);
    }

    private static String ownerName(Path path)
            throws IOException
    {
        return Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName();
    }

    private static String userName(int user)
    {
        return user == USER ? System.getProperty("user.name") : String.valueOf(user);
    }

    private static int user()
    {
        try {
            // the ids are the real, effective, saved and file system id, in this order
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith(USER_IDS))
                    .map(line -> line.substring(line.lastIndexOf('\t') + 1))
                    .map(Integer::parseUnsignedInt)
                    .findFirst()
                    .orElse(UNKNOWN);
        }
        catch (IOException | NumberFormatException e) {
            return UNKNOWN;
        }
    }
}
