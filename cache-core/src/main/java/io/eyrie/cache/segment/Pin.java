// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

/** A page that one or several writers are writing. Guarded by the lock of the {@link PageTable}, except for the fields that never change. */
final class Pin
{
    private final int entry;
    private final int location;
    private final Segment segment;
    private long writing;
    private int writers;
    private boolean dropped;

    Pin(int entry, int location, Segment segment)
    {
        this.entry = entry;
        this.location = location;
        this.segment = segment;
    }

    int entry()
    {
        return entry;
    }

    int location()
    {
        return location;
    }

    Segment segment()
    {
        return segment;
    }

    int slot()
    {
        return Segment.slotOf(location);
    }

    /** The granules that are being written. */
    long writing()
    {
        return writing;
    }

    void begin(long granules)
    {
        writing |= granules;
        writers++;
    }

    void end(long granules)
    {
        writing &= ~granules;
        writers--;
    }

    /** Notes that the page is dropped meanwhile. */
    void drop()
    {
        dropped = true;
    }

    boolean isDropped()
    {
        return dropped;
    }

    boolean isLastWriter()
    {
        return writers == 0;
    }
}
