// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.FixedPageSource;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.inject.Inject;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.flight.LoadEpoch;
import io.eyrie.presto.control.Steerable;
import io.eyrie.presto.memory.MemoryLayer;
import io.eyrie.presto.memory.MemoryPlan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Has Presto's reader check splits without a matching row, which are not read. Presto's readers check the footer, the names, and the types of all
 * columns when they open a file, before they compare statistics with the predicate, so a file that they refuse fails the query whether or not it has
 * matching rows. Thread-safe.
 */
final class UnreadSplits
        implements Steerable
{
    /** Estimated size of an entry. */
    private static final int ENTRY_BYTES = 192;

    // only accepted splits: a refused one fails its query, and is checked again by the next
    private final Cache<BlobKey, Boolean> accepted;
    private final LoadEpoch epoch = new LoadEpoch();

    @Inject
    UnreadSplits(MemoryPlan memory)
    {
        this(memory.bytes(MemoryLayer.FRAGMENT_PROOFS) / FragmentParts.CHECKED_PART);
    }

    UnreadSplits(long maxMemoryBytes)
    {
        accepted = Caffeine.newBuilder().maximumSize(maxMemoryBytes / ENTRY_BYTES).build();
    }

    /**
     * Returns a page source without rows if Presto's reader accepts the split.
     *
     * @param opening identifies everything that the reader checks; the reader is not asked again about a split that it has accepted
     * @param reader opens the split, or throws the reader's exception
     */
    ConnectorPageSource check(Optional<BlobKey> opening, Supplier<ConnectorPageSource> reader)
    {
        if (opening.map(accepted::getIfPresent).isEmpty()) {
            long began = epoch.current();
            try {
                reader.get().close();
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            boolean unused = opening.isPresent() && epoch.store(began, () -> accepted.put(opening.get(), true));
        }
        return new FixedPageSource(List.of());
    }

    @Override
    public Stage stage()
    {
        return Stage.STATISTICS;
    }

    /** Has the reader check all splits again. */
    @Override
    public void invalidate(Scope scope)
    {
        epoch.invalidate(accepted::invalidateAll);
    }
}
