package io.eyrie.cache.file;

import org.jspecify.annotations.Nullable;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;

import static java.util.Objects.requireNonNull;

/**
 * Reads one version of a file. After each read the store is asked whether it still has that version, where its reads are not conditional: so that bytes of another
 * version are neither returned nor cached under this one. Thread-safe if its store is.
 *
 * @param <S> what the store says of a file
 */
public final class UnchangedFile<S>
{
    private final Store<S> store;
    private final boolean conditional;

    /** Asks for one file. */
    public interface Store<S>
    {
        /** Asks the store itself, not a cache of its answers. */
        S status()
                throws IOException;

        /** Whether that is the version that is read. */
        boolean isSame(S found);

        /**
         * Makes the error for a file that is another by now.
         *
         * @param failure of the read, if it failed
         */
        IOException changed(S found, @Nullable Exception failure);

        /** Called when the file is gone or another, before the error is thrown. */
        default void onChange()
        {}
    }

    /** Reads of the file. */
    public interface Read
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
     * Reads, and asks the store if the read failed or was not conditional.
     *
     * @throws IOException the store's own; of a file that is another by now, what {@link Store#changed} makes
     */
    public void read(Read read)
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
