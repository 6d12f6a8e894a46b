package io.eyrie.fs;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.eyrie.cache.file.FileVersion;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

import java.util.ArrayList;
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

    private final Cache<Path, Seen> seen = Caffeine.newBuilder().maximumSize(MOST_FILES).build();
    private final Cache<Path, FileVersion> opened = Caffeine.newBuilder().maximumSize(MOST_FILES).build();
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

    /** Remembers that pages of this version may be cached from now on. */
    void opened(Path qualified, FileVersion version)
    {
        opened.put(qualified, version);
    }

    /** Forgets a file, and every file below the path; gives what was opened of them. */
    List<FileVersion> forget(Path qualified)
    {
        seen.asMap().keySet().removeIf(path -> isWithin(qualified, path));
        List<FileVersion> versions = new ArrayList<>();
        opened.asMap().entrySet().removeIf(entry -> isWithin(qualified, entry.getKey()) && versions.add(entry.getValue()));
        return versions;
    }

    private static boolean isWithin(Path directory, Path path)
    {
        String below = directory.isRoot() ? directory.toString() : directory + Path.SEPARATOR;
        return path.equals(directory) || path.toString().startsWith(below);
    }
}
