// SPDX-License-Identifier: Apache-2.0
package io.eyrie.alluxio;

import alluxio.client.file.CacheContext;
import alluxio.client.file.cache.PageId;
import alluxio.file.ByteArrayTargetBuffer;
import alluxio.file.ByteBufferTargetBuffer;
import alluxio.file.ReadTargetBuffer;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.cache.page.RangeSource;
import io.eyrie.cache.page.ReadContext;

import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.Phaser;

import static java.util.Objects.requireNonNull;

/**
 * Reads a file through Alluxio's cache, as Alluxio's own stream does: page by page. The reader fetches a missing page as a whole, and the page is
 * written before the read ends. With {@code READ_ONLY} the reader fetches only the bytes that it needs and writes nothing; with {@code BYPASS} it
 * does not use the cache.
 */
final class AlluxioFile
        implements CachedFile
{
    private final AlluxioPageCache cache;
    private final FileVersion version;
    private final String fileId;
    private final RangeSource source;
    private final ReadContext context;
    private final CacheContext alluxioContext = CacheContext.defaults();
    /* The open file and every remote read are parties; when the last one deregisters, the source is closed. */
    private final Phaser sourceUsers = new Phaser(1) {
        @Override
        protected boolean onAdvance(int phase, int registeredParties)
        {
            closeSource();
            return true;
        }
    };
    private volatile boolean closed;

    AlluxioFile(AlluxioPageCache cache, FileVersion version, RangeSource source, ReadContext context)
    {
        this.cache = requireNonNull(cache, "cache is null");
        this.version = requireNonNull(version, "version is null");
        this.source = requireNonNull(source, "source is null");
        this.context = requireNonNull(context, "context is null");
        fileId = fileId(version);
    }

    @Override
    public FileVersion version()
    {
        return version;
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        return read(position, new ByteArrayTargetBuffer(buffer, offset), length);
    }

    @Override
    public int read(long position, ByteBuffer buffer)
            throws IOException
    {
        return read(position, new ByteBufferTargetBuffer(buffer), buffer.remaining());
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        if (length > Math.max(0, version.lengthBytes() - position)) {
            throw new EOFException("range " + position + "+" + length + " goes past the end of " + version.path() + " at " + version.lengthBytes());
        }
        read(position, buffer, offset, length);
    }

    private int read(long position, ReadTargetBuffer target, int length)
            throws IOException
    {
        if (position < 0) {
            throw new IllegalArgumentException("position is negative: " + position);
        }
        if (closed) {
            throw closedFile();
        }
        if (length == 0) {
            return 0;
        }
        if (position >= version.lengthBytes()) {
            return -1;
        }
        int total = (int) Math.min(length, version.lengthBytes() - position);
        if (context.mode() == CacheMode.BYPASS || cache.isClosed()) {
            readRemote(position, target, total);
            return total;
        }
        long startNanos = System.nanoTime();
        int pagesFromCache = 0;
        int fromCache = 0;
        int done = 0;
        while (done < total) {
            long at = position + done;
            int offsetInPage = (int) (at % cache.pageSizeBytes());
            int wanted = Math.min((int) cache.pageSizeBytes() - offsetInPage, total - done);
            PageId page = new PageId(fileId, at / cache.pageSizeBytes());
            int found = cache.manager().get(page, offsetInPage, wanted, target, alluxioContext);
            cache.counters().lookup(found);
            if (found > 0) {
                pagesFromCache++;
                fromCache += found;
                done += found;
                continue;
            }
            if (found < 0) {
                // with a time limit on reads, Alluxio retains a page that it could not read, and keeps failing
                cache.manager().delete(page);
            }
            if (context.mode() == CacheMode.READ_ONLY) {
                readRemote(at, target, wanted);
            }
            else {
                target.writeBytes(load(page), offsetInPage, wanted);
            }
            done += wanted;
        }
        if (fromCache > 0) {
            context.listener().onCacheRead(pagesFromCache, fromCache, System.nanoTime() - startNanos);
        }
        return total;
    }

    /** Fetches a page and has Alluxio write it before the reader receives it. */
    private byte[] load(PageId id)
            throws IOException
    {
        long start = id.getPageIndex() * cache.pageSizeBytes();
        byte[] page = fetch(start, (int) Math.min(cache.pageSizeBytes(), version.lengthBytes() - start));
        cache.counters().write(cache.put(id, page, alluxioContext), page.length);
        return page;
    }

    private void readRemote(long position, ReadTargetBuffer target, int length)
            throws IOException
    {
        target.writeBytes(fetch(position, length), 0, length);
    }

    private byte[] fetch(long position, int length)
            throws IOException
    {
        if (sourceUsers.register() < 0) {
            throw closedFile();
        }
        long startNanos = System.nanoTime();
        boolean arrived = false;
        try {
            byte[] bytes = new byte[length];
            source.readFully(position, bytes, 0, length);
            arrived = true;
            return bytes;
        }
        finally {
            sourceUsers.arriveAndDeregister();
            cache.counters().remoteRead(length, arrived);
            context.listener().onRemoteRead(length, System.nanoTime() - startNanos);
        }
    }

    @Override
    public void close()
    {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        sourceUsers.arriveAndDeregister();
    }

    private void closeSource()
    {
        try {
            source.close();
        }
        catch (IOException | RuntimeException e) {
            // all requested bytes have arrived
            System.getLogger(AlluxioFile.class.getName()).log(Level.DEBUG, "Closing a source failed", e);
        }
    }

    private IOException closedFile()
    {
        return new IOException("file is closed: " + version.path());
    }

    /** Returns a name for the directory of a file's pages, unique per version and store. */
    private static String fileId(FileVersion version)
    {
        StringBuilder identity = new StringBuilder();
        append(identity, version.store().endpoint());
        append(identity, version.store().principal());
        append(identity, version.path());
        identity.append(version.lengthBytes()).append('@').append(version.modifiedMillis());
        version.etag().ifPresent(etag -> append(identity, etag));
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(identity.toString().getBytes(StandardCharsets.UTF_8)));
        }
        catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static void append(StringBuilder identity, String part)
    {
        identity.append(part.length()).append(':').append(part);
    }
}
