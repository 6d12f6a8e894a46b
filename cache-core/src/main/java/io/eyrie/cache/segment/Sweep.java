// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import java.util.function.IntPredicate;

/** Looks for dead pages in rounds over all entries of an index, step by step. Guarded by the lock of the {@link PageTable}. */
final class Sweep
{
    /*
     * Round       over the entries that exist when it begins, from where the sweep is. Later entries are not dead, and would use up the round of dead ones
     * Another     Pages that die during a round may be among those that it has passed, so another round follows. The round itself does not begin anew: it
     *             would never end if pages die all the time
     */
    private static final int STEP = 1024;

    private final PageIndex index;
    private final TableSettings settings;
    private final InvalidFiles invalidFiles;
    private final IntPredicate dropIfDead;
    private int next;
    private int left;
    private int entries;
    private int beganSeconds;
    private boolean another;

    /**
     * @param invalidFiles forgotten when all their pages have been dropped
     * @param dropIfDead drops the page with this entry number if it is dead; returns whether it was
     */
    Sweep(PageIndex index, TableSettings settings, InvalidFiles invalidFiles, IntPredicate dropIfDead)
    {
        this.index = index;
        this.settings = settings;
        this.invalidFiles = invalidFiles;
        this.dropIfDead = dropIfDead;
    }

    boolean isActive()
    {
        return left > 0;
    }

    /** Requests a round over all present entries. */
    void request()
    {
        if (isActive()) {
            another = true;
        }
        else {
            begin();
        }
    }

    private void begin()
    {
        entries = index.entries();
        left = entries;
        beganSeconds = settings.nowSeconds();
        another = false;
    }

    /** Takes a step; returns whether the round goes on. */
    boolean advance()
    {
        boolean unused = step();
        return isActive() && left < entries;
    }

    /** Takes a step; returns whether it dropped any page. */
    boolean step()
    {
        boolean dropped = false;
        for (int i = 0; i < STEP && left > 0; i++, next++, left--) {
            next = next < entries ? next : 0;
            dropped |= dropIfDead.test(next);
        }
        if (left == 0 && another) {
            // pages of the files that were invalidated since the round began may be left
            invalidFiles.forget(beganSeconds);
            begin();
        }
        else if (left == 0) {
            invalidFiles.forget(settings.nowSeconds());
        }
        return dropped;
    }

    /** Drops the pages of all invalid files, if there are as many files as can be remembered. */
    void completeIfFull()
    {
        if (invalidFiles.isFull() && isActive()) {
            begin();
        }
        while (invalidFiles.isFull()) {
            boolean unused = step();
        }
    }
}
