// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.google.inject.Inject;
import io.airlift.units.Duration;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.handle.HandlePool;
import io.eyrie.cache.handle.ReaderHandles;
import io.eyrie.cache.handle.ReaderHandles.HandleOpener;
import io.eyrie.presto.config.FileHandlesConfig;
import org.apache.hadoop.fs.FSDataInputStream;

import javax.annotation.PreDestroy;

/**
 * The open remote files of a catalog. If users have individual rights, the user is part of a file version's store, so splits share an open file only
 * if they read it as the same principal, with the same credential.
 */
public final class FileHandles
{
    private final HandlePool<HandleKey, FSDataInputStream> pool;

    /** @param credential as of {@link StoreIds#credential} */
    record HandleKey(FileVersion version, String credential)
    {}

    @Inject
    public FileHandles(FileHandlesConfig config)
    {
        config.validate();
        Duration idle = config.getIdleTime();
        pool = new HandlePool<>(config.getMaxIdle(), idle.toMillis());
    }

    /** Returns the handles of one reader. The S3 client of Presto and the HDFS client allow concurrent positioned reads on one stream. */
    ReaderHandles<HandleKey, FSDataInputStream> of(HandleKey key, HandleOpener<FSDataInputStream> opener)
    {
        return new ReaderHandles<>(pool, key, opener, true);
    }

    HandlePool.Stats stats()
    {
        return pool.stats();
    }

    @PreDestroy
    void close()
    {
        pool.close();
    }
}
