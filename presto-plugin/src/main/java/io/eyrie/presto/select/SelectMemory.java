// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.select;

import com.facebook.presto.hive.HiveColumnHandle;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;

import java.time.Duration;
import java.util.Set;

/**
 * Remembers this worker's earlier S3 Select requests: which were refused, and which files were selected from. Bounded; a forgotten entry costs one
 * request. Thread-safe.
 */
final class SelectMemory
{
    private static final long MOST_REFUSED = 1_000;
    private static final long MOST_FILES = 20_000;
    private static final Duration REFUSED_FOR = Duration.ofMinutes(10);

    private final Cache<Shape, Boolean> refused;
    private final Cache<File, Boolean> selected = Caffeine.newBuilder().maximumSize(MOST_FILES).build();

    /** The scope of a refusal: whether a store refuses depends on the table's format and on the columns whose predicates are sent. */
    record Shape(String bucket, String table, Set<HiveColumnHandle> pushed)
    {}

    /** A version of a file. */
    record File(String path, String etag)
    {}

    SelectMemory(Ticker ticker)
    {
        refused = Caffeine.newBuilder().ticker(ticker).maximumSize(MOST_REFUSED).expireAfterWrite(REFUSED_FOR).build();
    }

    void refused(Shape shape)
    {
        refused.put(shape, true);
    }

    boolean wasRefused(Shape shape)
    {
        return refused.getIfPresent(shape) != null;
    }

    void selected(File file)
    {
        selected.put(file, true);
    }

    boolean wasSelected(File file)
    {
        return selected.getIfPresent(file) != null;
    }
}
