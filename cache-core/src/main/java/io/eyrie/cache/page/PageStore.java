package io.eyrie.cache.page;

import io.eyrie.cache.file.Scope;

import java.nio.ByteBuffer;

/**
 * Keeps the bytes of pages. A page may be lost at any time; bytes of another page or version are never returned.
 *
 * <p>Thread-safe. No method throws for the state of a disk. An interrupted caller keeps its interrupt flag and
 * disturbs nobody.
 */
public interface PageStore
        extends AutoCloseable
{
    /**
     * Copies {@code target.remaining()} bytes of a page, from {@code offsetInPage} on, and moves the target's position. On
     * any outcome but {@code HIT} the position stays and the content of what remains is undefined.
     */
    ReadOutcome read(PageKey key, int offsetInPage, ByteBuffer target);

    /**
     * Keeps a page, whole as it is in its file: a page size long, or shorter at the end of the file. Leaves the position of
     * {@code page} alone and does not hold on to it. A page that is there already stays as it is.
     */
    WriteOutcome write(PageKey key, Scope scope, ByteBuffer page);

    /** Whether a read would probably hit. Does no I/O. */
    boolean contains(PageKey key);

    /** Drops a page, if it is there. */
    void remove(PageKey key);

    PageStoreStats stats();

    /** Lets go of the disks. From then on reads and writes are declined. Does nothing the second time. */
    @Override
    void close();
}
