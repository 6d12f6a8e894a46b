// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.presto.spi.PrestoException;
import io.eyrie.cache.page.CachedFile;
import io.eyrie.presto.ledger.Account;
import io.eyrie.presto.ledger.WorkKind;
import org.apache.hadoop.fs.FSInputStream;
import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;

import static com.facebook.presto.hive.HiveErrorCode.HIVE_FILESYSTEM_ERROR;
import static java.util.Objects.requireNonNull;

/** A cached file as a Hadoop stream. Seeks cost nothing, and positioned reads are thread-safe. Closing the stream closes the file. */
final class PageCacheInputStream
        extends FSInputStream
{
    private static final long NO_STREAM = -1;
    private static final int MOST_SKIPPED_BYTES = 1 << 20;

    private final CachedFile file;
    private final Optional<Account> account;
    private long position;
    // where an uncached stream would be after the last sequential read
    private long streamPosition = NO_STREAM;
    private @Nullable ColumnReadAhead readAhead;

    /** @param account records the reads of queries, and whether each would be a request of its own to the store if nothing was cached */
    PageCacheInputStream(CachedFile file, Optional<Account> account)
    {
        this.account = requireNonNull(account, "account is null");
        this.file = requireNonNull(file, "file is null");
    }

    /** Sets the read-ahead, which is notified of positioned full reads. Must be called before the first such read, by the code that opened the stream. */
    void setReadAhead(ColumnReadAhead value)
    {
        readAhead = value;
    }

    /** Returns the file that the stream reads. */
    CachedFile file()
    {
        return file;
    }

    @Override
    public int read()
            throws IOException
    {
        byte[] single = new byte[1];
        return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length)
            throws IOException
    {
        int read = told(() -> file.read(position, buffer, offset, length));
        if (read > 0) {
            requested(isAhead() ? 0 : 1, read);
            position += read;
            streamPosition = position;
        }
        return read;
    }

    @Override
    public int read(long from, byte[] buffer, int offset, int length)
            throws IOException
    {
        int read = told(() -> file.read(from, buffer, offset, length));
        if (read > 0) {
            requested(1, read);
        }
        return read;
    }

    @Override
    public void readFully(long from, byte[] buffer, int offset, int length)
            throws IOException
    {
        if (readAhead != null) {
            readAhead.reading(from);
        }
        told(() -> {
            file.readFully(from, buffer, offset, length);
            return length;
        });
        requested(1, length);
    }

    /* Presto's streams read over short gaps. */
    private boolean isAhead()
    {
        return streamPosition != NO_STREAM && position >= streamPosition && position - streamPosition <= MOST_SKIPPED_BYTES;
    }

    private void requested(int requests, long bytes)
    {
        account.ifPresent(present -> {
            present.requested(WorkKind.GET_REQUESTS, requests);
            present.requested(WorkKind.BYTES, bytes);
        });
    }

    /* Converts the error for a changed file to Presto's own: Presto's Parquet reader hides the cause of any other. */
    private static int told(Read read)
            throws IOException
    {
        try {
            return read.run();
        }
        catch (ListedFileChangedException e) {
            throw new PrestoException(HIVE_FILESYSTEM_ERROR, e.getMessage(), e);
        }
    }

    private interface Read
    {
        int run()
                throws IOException;
    }

    @Override
    public int available()
    {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(0, file.version().lengthBytes() - position));
    }

    @Override
    public void seek(long target)
            throws IOException
    {
        if (target < 0 || target > file.version().lengthBytes()) {
            throw new EOFException("Cannot seek to " + target + " in " + file.version().path() + " of " + file.version().lengthBytes() + " bytes");
        }
        position = target;
    }

    @Override
    public long getPos()
    {
        return position;
    }

    @Override
    public boolean seekToNewSource(long target)
    {
        return false;
    }

    @Override
    public void close()
    {
        if (readAhead != null) {
            readAhead.close();
        }
        file.close();
    }
}
