// SPDX-License-Identifier: Apache-2.0
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
 * The statuses that the store most recently returned to one user, the rights to read that it confirmed, and the version of each file that was last opened, for a
 * bounded number of files. Callers decide how long a status or a right is valid. Thread-safe.
 */
final class SeenStatuses
{
    private static final int MOST_FILES = 20_000;

    private final PathCache<SeenStatus> seen = new PathCache<>(MOST_FILES);
    private final PathCache<FileVersion> opened = new PathCache<>(MOST_FILES);
    private final PathCache<Long> granted = new PathCache<>(MOST_FILES);
    private final Ticker ticker;

    private record SeenStatus(FileStatus status, long nanos)
    {}

    SeenStatuses(Ticker ticker)
    {
        this.ticker = ticker;
    }

    /** Remembers a status that the store just returned, if it is of a file; returns it. */
    <S extends FileStatus> S add(S status)
    {
        if (status.isFile()) {
            seen.put(status.getPath(), new SeenStatus(status, ticker.read()));
        }
        return status;
    }

    /** Returns the last status of a file, if it is younger than {@code maxAgeMillis} and fits. */
    Optional<FileStatus> find(Path qualified, long maxAgeMillis, Predicate<FileStatus> fits)
    {
        return seen.get(qualified)
                .filter(last -> ticker.read() - last.nanos < TimeUnit.MILLISECONDS.toNanos(maxAgeMillis) && fits.test(last.status))
                .map(SeenStatus::status);
    }

    /** Remembers that the user may read a file now. */
    void grant(Path qualified)
    {
        granted.put(qualified, ticker.read());
    }

    /** Whether the user might read a file less than {@code maxAgeMillis} ago. */
    boolean isGranted(Path qualified, long maxAgeMillis)
    {
        return granted.get(qualified).filter(nanos -> ticker.read() - nanos < TimeUnit.MILLISECONDS.toNanos(maxAgeMillis)).isPresent();
    }

    /** Remembers that pages of this version may be cached from now on. */
    void opened(Path qualified, FileVersion version)
    {
        opened.put(qualified, version);
    }

    /** Forgets a file, and every file below the path; returns the versions of them that were opened. */
    List<FileVersion> forget(Path qualified)
    {
        List<SeenStatus> unused = seen.remove(qualified);
        List<Long> unusedToo = granted.remove(qualified);
        return opened.remove(qualified);
    }
}
