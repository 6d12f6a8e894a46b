// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListSet;

/** A bounded cache of values by path. Removing a directory costs time in proportion to the number of removed paths. Thread-safe. */
final class PathCache<V>
{
    /* The names are the cache's keys in order. Both change within one step of the cache on the key, so that they agree on each. */
    private final ConcurrentSkipListSet<String> names = new ConcurrentSkipListSet<>();
    private final Cache<String, V> values;

    PathCache(int mostPaths)
    {
        // on the caller's thread, so that the bound holds immediately
        values = Caffeine.newBuilder()
                .maximumSize(mostPaths)
                .executor(Runnable::run)
                .<String, V>evictionListener((name, value, cause) -> removed(name))
                .build();
    }

    private void removed(@Nullable String name)
    {
        if (name != null) {
            names.remove(name);
        }
    }

    void put(Path path, V value)
    {
        values.asMap().compute(path.toString(), (name, before) -> {
            if (before == null) {
                names.add(name);
            }
            return value;
        });
    }

    Optional<V> get(Path path)
    {
        return Optional.ofNullable(values.getIfPresent(path.toString()));
    }

    /** Removes a path and all paths below it; returns their values. */
    List<V> remove(Path directory)
    {
        List<V> removed = new ArrayList<>();
        String self = directory.toString();
        remove(self, removed);
        String below = directory.isRoot() ? self : self + Path.SEPARATOR;
        for (String name : names.tailSet(below)) {
            if (!name.startsWith(below)) {
                break;
            }
            remove(name, removed);
        }
        return removed;
    }

    private void remove(String path, List<V> removed)
    {
        values.asMap().computeIfPresent(path, (name, value) -> {
            names.remove(name);
            removed.add(value);
            return null;
        });
    }

    /** Returns the number of paths in each of the two collections. */
    List<Integer> sizes()
    {
        values.cleanUp();
        return List.of(names.size(), values.asMap().size());
    }
}
