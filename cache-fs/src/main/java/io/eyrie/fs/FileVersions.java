// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Derives the version of a file from its status.
 *
 * <p>S3A reports an object's time in milliseconds when it lists, and in seconds when it requests the object's status. If there is an ETag, which
 * distinguishes versions by itself, the time is truncated to whole seconds, so that both yield the same version.
 */
final class FileVersions
{
    private static final long SECOND_MILLIS = 1_000;

    private final StoreId store;
    private final long minFileAgeMillis;
    private final InstantSource clock;

    FileVersions(StoreId store, long minFileAgeMillis, InstantSource clock)
    {
        this.store = requireNonNull(store, "store is null");
        this.minFileAgeMillis = minFileAgeMillis;
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * Returns the version. Empty if the file must not be cached: a directory, a file without a time, and, of the files without an ETag, those in an
     * HDFS encryption zone and those so young that they may change again unnoticed. S3A reports every file as encrypted.
     */
    Optional<FileVersion> of(Path qualified, FileStatus status)
    {
        if (!status.isFile() || status.getModificationTime() <= 0) {
            return Optional.empty();
        }
        Optional<String> etag = etag(status);
        if (etag.isEmpty() && (status.isEncrypted() || clock.millis() - status.getModificationTime() < minFileAgeMillis)) {
            return Optional.empty();
        }
        return Optional.of(new FileVersion(
                store, qualified.toString(), status.getLen(), etag.isPresent() ? wholeSeconds(status) : status.getModificationTime(), etag));
    }

    /** Whether a status without an ETag may describe the same version as a status with one. */
    static boolean agree(FileStatus without, FileStatus with)
    {
        return without.getLen() == with.getLen() && wholeSeconds(without) == wholeSeconds(with);
    }

    static Optional<String> etag(FileStatus status)
    {
        return status instanceof EtagSource source ? Optional.ofNullable(source.getEtag()).filter(etag -> !etag.isEmpty()) : Optional.empty();
    }

    /** Formats a status for messages. */
    static String describe(FileStatus status)
    {
        return status.getLen() + " bytes, modified " + Instant.ofEpochMilli(status.getModificationTime())
                + etag(status).map(etag -> ", with ETag " + etag).orElse("");
    }

    private static long wholeSeconds(FileStatus status)
    {
        return Math.floorDiv(status.getModificationTime(), SECOND_MILLIS) * SECOND_MILLIS;
    }
}
