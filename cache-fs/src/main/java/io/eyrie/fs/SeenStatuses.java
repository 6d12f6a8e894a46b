package io.eyrie.fs;

import com.github.benmanes.caffeine.cache.Ticker;
import io.eyrie.cache.file.FileVersion;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * What the store last said about files, to one user, and which version of each was last opened. The most recent ones are kept. How long an answer counts is
 * the asker's to say. Thread-safe.
 */
final class SeenStatuses
{
    private static final int MOST_FILES = 20_000;

    private final PathCache<Seen> seen = new PathCache<>(MOST_FILES);
    private final PathCache<FileVersion> opened = new PathCache<>(MOST_FILES);
    private final Ticker ticker;

    private record Seen(FileStatus status, long nanos)
    {}

    SeenStatuses(Ticker ticker)
    {
        this.ticker = ticker;
    }

    /** Keeps what the store just said, if it is about a file; the status is returned. */
    <S extends FileStatus> S add(S status)
    {
        if (status.isFile()) {
            seen.put(status.getPath(), new Seen(status, ticker.read()));
        }
        return status;
    }

    /** What the store said no longer ago than this, if it fits. */
    Optional<FileStatus> find(Path qualified, long maxAgeMillis, Predicate<FileStatus> fits)
    {
        return seen.get(qualified)
                .filter(last -> ticker.read() - last.nanos < TimeUnit.MILLISECONDS.toNanos(maxAgeMillis) && fits.test(last.status))
                .map(Seen::status);
    }

    /** Remembers that pages of this version may be cached from now on. */
    void opened(Path qualified, FileVersion version)
    {
        opened.put(qualified, version);
    }

    /** Forgets a file, and every file below the path; gives what was opened of them. */
    List<FileVersion> forget(Path qualified)
    {
        List<Seen> unused = seen.remove(qualified);
        return opened.remove(qualified);
    }
}
