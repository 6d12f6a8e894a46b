// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.file;

import org.jspecify.annotations.Nullable;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;

import static java.util.Objects.requireNonNull;

/**
 * Reads one version of a file. If the store's reads are not conditional, it queries the store after each read whether it still has that version.
 * Bytes of another version are therefore neither returned nor cached under this one. Thread-safe if its store is.
 *
 * @param <S> the store's description of a file
 */
public final class UnchangedFile<S>
{
    private final Store<S> store;
    private final boolean conditional;

    /** Queries the state of one file. */
    public interface Store<S>
    {
        /** Queries the store itself, not a cache of its answers. */
        S status()
                throws IOException;

        /** Whether this is the version being read. */
        boolean isSame(S found);

        /**
         * Creates the error for a file that has changed.
         *
         * @param failure of the read, if it failed
         */
        IOException changed(S found, @Nullable Exception failure);

        /** Called when the file no longer exists or has changed, before the error is thrown. */
        default void onChange()
        {}
    }

    /** A read of the file. */
    public interface RangeRead
    {
        void run()
                throws IOException;
    }

    /** @param conditional whether the store itself refuses reads of another version */
    public UnchangedFile(Store<S> store, boolean conditional)
    {
        this.store = requireNonNull(store, "store is null");
        this.conditional = conditional;
    }

    /**
     * Reads, and queries the store if the read failed or was not conditional.
     *
     * @throws IOException the store's own, or the result of {@link Store#changed} if the file has changed
     */
    public void read(RangeRead read)
            throws IOException
    {
        try {
            read.run();
        }
        catch (InterruptedIOException e) {
            throw e;
        }
        catch (IOException | RuntimeException e) {
            throwIfChanged(e);
            throw e;
        }
        if (!conditional) {
            throwIfChanged(null);
        }
    }

    private void throwIfChanged(@Nullable Exception failure)
            throws IOException
    {
        S found;
        try {
            found = store.status();
        }
        catch (FileNotFoundException e) {
            store.onChange();
            if (failure != null) {
                e.addSuppressed(failure);
            }
            throw e;
        }
        catch (IOException e) {
            if (failure == null) {
                throw e;
            }
            failure.addSuppressed(e);
            return;
        }
        if (!store.isSame(found)) {
            store.onChange();
            throw store.changed(found, failure);
        }
    }
}
