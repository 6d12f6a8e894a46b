// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.Device;
import io.eyrie.cache.journal.Journal;
import io.eyrie.cache.journal.JournalOwner;

import java.nio.file.Path;
import java.util.Optional;

/** The parts that the directories of one store share. */
final class StoreContext
{
    static final String JOURNAL = "journal";

    private final StoreParts parts;
    private final Optional<KeyRing> keys;
    private final Scratch.Pool readScratches;
    private final Scratch.Pool writeScratches;
    private final JournalOpener journals;

    /** Opens a journal in an existing folder. */
    interface JournalOpener
    {
        Journal open(Path folder, JournalOwner journaled);
    }

    StoreContext(StoreParts parts, Optional<KeyRing> keys, Layout layout, JournalOpener journals)
    {
        this.parts = parts;
        this.keys = keys;
        readScratches = new Scratch.Pool(layout, keys.isPresent(), Scratch.READ_BYTES);
        writeScratches = new Scratch.Pool(layout, keys.isPresent(), Scratch.WRITE_BYTES);
        this.journals = journals;
    }

    StoreParts parts()
    {
        return parts;
    }

    Device device()
    {
        return parts.device();
    }

    Optional<KeyRing> keys()
    {
        return keys;
    }

    Scratch.Pool readScratches()
    {
        return readScratches;
    }

    Scratch.Pool writeScratches()
    {
        return writeScratches;
    }

    Journal openJournal(Path folder, JournalOwner journaled)
    {
        return journals.open(folder.resolve(JOURNAL), journaled);
    }

    /** Runs a change of the store as a whole. Changes run one after the other. */
    synchronized void control(Runnable change)
    {
        change.run();
    }
}
