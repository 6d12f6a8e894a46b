package io.eyrie.cache.disk;

import io.eyrie.cache.page.PageKey;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/** The files below one base directory: where each page lies, how it gets there, and what is found after a restart. */
final class PageFolder
{
    /*
     * base/lock                                         see DirectoryLock
     * base/pages-v1-SIZE/probe                          while a probe runs
     * base/pages-v1-SIZE/ab/abHASH-PAGE                 a page, SIZE being the page size in bytes
     * base/pages-v1-SIZE/ab/abHASH-PAGE.N.tmp           a page being written
     * base/pages-vN-SIZE                                of another format or page size: deleted by a scan
     */
    private static final Pattern ANY_FORMAT = Pattern.compile("pages-v[0-9]+-[0-9]+");
    private static final Pattern SHARD = Pattern.compile("[0-9a-f]{2}");
    private static final int SHARD_DIGITS = 2;
    private static final String TEMPORARY_SUFFIX = ".tmp";
    private static final int PROBE_BYTES = 4 << 10;

    private static final System.Logger logger = System.getLogger(PageFolder.class.getName());

    private final Path base;
    private final Path folder;
    private final Volume volume;

    PageFolder(Path base, int pageSizeBytes, Volume volume)
    {
        this.base = base;
        this.volume = volume;
        folder = base.resolve("pages-v" + PageFile.FORMAT_VERSION + "-" + pageSizeBytes);
    }

    /** What a scan found: the pages, least recently written first, and how many of other formats it deleted. */
    record Found(List<FoundPage> pages, long incompatibleDrops)
    {}

    record FoundPage(PageKey key, long blockBytes, long modifiedMillis)
    {}

    Path file(PageKey key)
    {
        String name = PageFile.name(key);
        return folder.resolve(name.substring(0, SHARD_DIGITS)).resolve(name);
    }

    /** Creates the folder in the base directory, which must be there: an empty mount point must not be filled. */
    void create()
            throws IOException
    {
        volume.createDirectory(folder);
    }

    /** Writes a page's file under a temporary name, then gives it its own. Leaves nothing behind where it fails. */
    void write(PageKey key, long number, ByteBuffer header, ByteBuffer page)
            throws IOException
    {
        Path file = file(key);
        Path temporary = file.resolveSibling(file.getFileName() + "." + number + TEMPORARY_SUFFIX);
        try {
            try {
                volume.write(temporary, header, page);
            }
            catch (NoSuchFileException e) {
                volume.createDirectory(folder.resolve(PageFile.name(key).substring(0, SHARD_DIGITS)));
                volume.write(temporary, header, page);
            }
            volume.move(temporary, file);
        }
        catch (IOException | RuntimeException e) {
            try {
                volume.delete(temporary);
            }
            catch (IOException | RuntimeException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    /** Writes, reads and deletes a small file. */
    void probe()
            throws IOException
    {
        Path file = folder.resolve("probe");
        byte[] written = new byte[PROBE_BYTES];
        ThreadLocalRandom.current().nextBytes(written);
        volume.write(file, ByteBuffer.wrap(written));
        byte[] read = new byte[PROBE_BYTES];
        try (Volume.Reader reader = volume.openForRead(file)) {
            reader.readFully(0, read, 0, read.length);
        }
        volume.delete(file);
        if (!Arrays.equals(read, written)) {
            throw new IOException(file + " reads other bytes than were written");
        }
    }

    /** Finds all pages; deletes what writes that were cut off and other formats left behind. */
    Found scan(BooleanSupplier stopped)
            throws IOException
    {
        long incompatibleDrops = 0;
        for (Volume.Entry entry : volume.list(base)) {
            String name = name(entry);
            if (entry.directory() && ANY_FORMAT.matcher(name).matches() && !entry.path().equals(folder)) {
                long dropped = deleteTree(entry);
                incompatibleDrops += dropped;
                logger.log(System.Logger.Level.WARNING,
                        () -> "Dropped " + entry.path() + " with " + dropped + " files: another page size or format than that of " + folder);
            }
        }
        List<FoundPage> pages = new ArrayList<>();
        for (Volume.Entry shard : volume.list(folder)) {
            if (stopped.getAsBoolean()) {
                break;
            }
            if (shard.directory() && SHARD.matcher(name(shard)).matches()) {
                scanShard(shard.path(), pages);
            }
        }
        pages.sort(Comparator.comparingLong(FoundPage::modifiedMillis));
        return new Found(pages, incompatibleDrops);
    }

    private void scanShard(Path shard, List<FoundPage> pages)
            throws IOException
    {
        for (Volume.Entry entry : volume.list(shard)) {
            PageKey key = PageFile.parseName(name(entry));
            if (key != null && !entry.directory() && file(key).equals(entry.path())) {
                pages.add(new FoundPage(key, PageFile.blockBytes(entry.lengthBytes()), entry.modifiedMillis()));
            }
            else if (name(entry).endsWith(TEMPORARY_SUFFIX)) {
                volume.delete(entry.path());
            }
        }
    }

    /** Deletes a folder and counts the files in it. */
    private long deleteTree(Volume.Entry entry)
            throws IOException
    {
        long files = entry.directory() ? 0 : 1;
        if (entry.directory()) {
            for (Volume.Entry child : volume.list(entry.path())) {
                files += deleteTree(child);
            }
        }
        volume.delete(entry.path());
        return files;
    }

    private static String name(Volume.Entry entry)
    {
        return String.valueOf(entry.path().getFileName());
    }
}
