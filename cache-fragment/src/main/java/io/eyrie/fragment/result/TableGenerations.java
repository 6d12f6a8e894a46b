// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.flight.LoadEpoch;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.fragment.key.IdentityWriter;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;

import static java.util.Objects.requireNonNull;

/**
 * A random number for each table, which each invalidation of the table or of a part of it replaces. It is part of the keys of all that depends on the files
 * of one table but is stored under the name of another, so that an invalidation of the first one makes it unreachable. The numbers are cached in memory and
 * in the store that also holds the results. A lost number costs misses. Thread-safe.
 */
public final class TableGenerations
{
    // of tables that are joined to others; two objects and the cache's entry
    private static final int ENTRIES = 10_000;

    private final BlobCache blobs;
    private final Cache<Scope, UUID> memory = Caffeine.newBuilder().maximumSize(ENTRIES).build();
    private final LoadEpoch loads = new LoadEpoch();

    /** @param blobs the store of the numbers; not closed here */
    public TableGenerations(BlobCache blobs)
    {
        this.blobs = requireNonNull(blobs, "blobs is null");
    }

    /** Returns the generation of a table, in which {@code partition} is {@code ""}. Call it before reading the table. */
    public UUID of(Scope table)
    {
        UUID known = memory.getIfPresent(table);
        if (known != null) {
            return known;
        }
        long began = loads.current();
        long epoch = blobs.epoch();
        BlobKey key = key(table);
        Optional<UUID> stored = blobs.get(key).filter(bytes -> bytes.length == 2 * Long.BYTES).map(TableGenerations::read);
        UUID own = stored.orElseGet(UUID::randomUUID);
        // another caller's may be in memory first
        boolean isCurrent = loads.store(began, () -> memory.asMap().putIfAbsent(table, own));
        UUID current = memory.asMap().getOrDefault(table, own);
        if (isCurrent && stored.isEmpty() && current.equals(own)) {
            // in memory first, where an invalidation finds it
            blobs.put(key, new PageTags(table, StorageClass.RESULT), ByteBuffer.allocate(2 * Long.BYTES).putLong(0, own.getMostSignificantBits())
                    .putLong(Long.BYTES, own.getLeastSignificantBits()), epoch);
        }
        return current;
    }

    private static UUID read(byte[] bytes)
    {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        return new UUID(in.getLong(), in.getLong());
    }

    private static BlobKey key(Scope table)
    {
        return BlobKey.of(ByteBuffer.wrap(new IdentityWriter().text("generation").text(table.catalog()).text(table.schema()).text(table.table())
                .toBytes()));
    }

    /** Replaces the generations of the tables of a scope, after all other data of the scope was dropped. A part of a table stands for the table. */
    public void invalidate(Scope scope)
    {
        Scope tables = new Scope(scope.catalog(), scope.schema(), scope.table(), "");
        loads.invalidate(() -> memory.asMap().keySet().stream().filter(tables::contains).forEach(table -> {
            memory.invalidate(table);
            // created while the other data was dropped, or of a table of which only a partition was
            blobs.invalidate(key(table));
        }));
        if (!scope.partition().isEmpty()) {
            blobs.invalidate(key(tables));
        }
    }
}
