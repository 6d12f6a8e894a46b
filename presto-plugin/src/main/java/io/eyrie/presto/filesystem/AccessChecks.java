// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import com.google.inject.Inject;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.flight.SingleFlight;
import io.eyrie.cache.metric.Metric;
import io.eyrie.presto.config.AccessCheckConfig;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Asks the store whether a user may still read a file before cached data of the file is returned, if users have individual rights in that store. A
 * granted check is valid for {@code cache.access-check-interval}; a refusal, or an error of the store, is thrown to the reader. Readers of the same file
 * share a check that succeeds. No check holds up checks of other files. Thread-safe.
 */
public final class AccessChecks
{
    private static final long MOST_GRANTED = 20_000;

    private final Cache<CheckKey, Boolean> granted;
    private final SingleFlight<CheckKey, Boolean> asking;
    private final boolean asksEachTime;
    private final LongAdder checks = new LongAdder();
    private final LongAdder refusals = new LongAdder();

    private record CheckKey(StoreId store, String credential, String path)
    {}

    /** Connects to a store as a user. */
    @FunctionalInterface
    public interface Remote
    {
        FileSystem fileSystem()
                throws IOException;
    }

    @Inject
    public AccessChecks(AccessCheckConfig config)
    {
        this(config, Ticker.systemTicker());
    }

    AccessChecks(AccessCheckConfig config, Ticker ticker)
    {
        config.validate();
        Duration interval = Duration.ofMillis(config.getInterval().toMillis());
        granted = Caffeine.newBuilder().ticker(ticker).maximumSize(MOST_GRANTED).expireAfterWrite(interval).build();
        asking = new SingleFlight<>(key -> Optional.ofNullable(granted.getIfPresent(key)), SingleFlight.WAIT_MILLIS);
        asksEachTime = interval.isZero();
    }

    /**
     * Returns if the file's user may read the file.
     *
     * @param credential as of {@link StoreIds#credential}
     * @param remote connects as that user, with that credential
     * @throws IOException the store's error otherwise
     */
    public void check(FileVersion file, String credential, Remote remote)
            throws IOException
    {
        if (file.store().principal().isEmpty()) {
            return;
        }
        if (asksEachTime) {
            ask(remote, file);
            return;
        }
        CheckKey key = new CheckKey(file.store(), credential, file.path());
        if (granted.getIfPresent(key) != null) {
            return;
        }
        try (SingleFlight<CheckKey, Boolean>.Load joined = asking.join(key, asking.epoch())) {
            if (joined.await().isEmpty()) {
                ask(remote, file);
                granted.put(key, true);
                joined.share(true);
            }
        }
    }

    private void ask(Remote connection, FileVersion file)
            throws IOException
    {
        checks.increment();
        Path path = new Path(file.path());
        try {
            FileSystem remote = connection.fileSystem();
            if (StoreIds.isS3(remote.getUri()) && file.lengthBytes() == 0) {
                // the file has no byte to request
                remote.getFileStatus(path);
                return;
            }
            try (FSDataInputStream in = remote.open(path)) {
                if (StoreIds.isS3(remote.getUri())) {
                    // opening sends no request, and a HEAD needs no permission to decrypt
                    in.readFully(0, new byte[1]);
                }
            }
        }
        catch (IOException | RuntimeException e) {
            refusals.increment();
            throw e;
        }
    }

    @Metric("requests to a store to check whether a user may read a file")
    public long checks()
    {
        return checks.sum();
    }

    @Metric("checks that failed: the store refused access or returned another error")
    public long refusals()
    {
        return refusals.sum();
    }
}
