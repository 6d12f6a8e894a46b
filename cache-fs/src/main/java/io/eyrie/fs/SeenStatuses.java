package io.eyrie.fs;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * What the store last said about files, to one user. The most recent ones are kept. How long an answer counts is the asker's to say. Thread-safe.
 */
final class SeenStatuses
{
    private static final int MOST_FILES = 20_000;

    private final Cache<Path, Seen> seen = Caffeine.newBuilder().maximumSize(MOST_FILES).build();
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
        Seen last = seen.getIfPresent(qualified);
        return last != null && ticker.read() - last.nanos < TimeUnit.MILLISECONDS.toNanos(maxAgeMillis) && fits.test(last.status)
                ? Optional.of(last.status)
                : Optional.empty();
    }

    /** Forgets a file, and every file below the path. */
    void forget(Path qualified)
    {
        String below = qualified.isRoot() ? qualified.toString() : qualified + Path.SEPARATOR;
        seen.asMap().keySet().removeIf(path -> path.equals(qualified) || path.toString().startsWith(below));
    }
}
