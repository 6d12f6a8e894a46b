// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.store.PageTags;

import java.nio.file.Path;

/** A unit of a page, as defined by {@link Layout}, that a journal records, and its frames on the disk. Valid until its {@link StoreState} is closed. */
public final class StoredUnit
{
    private final StoreState state;
    private final Segment segment;
    private final int entry;

    StoredUnit(StoreState state, Segment segment, int entry)
    {
        this.state = state;
        this.segment = segment;
        this.entry = entry;
    }

    /** Its key in the index, as defined by {@link Layout#fingerprint}. */
    public long fingerprint()
    {
        return state.index().fingerprint(entry);
    }

    public PageTags tags()
    {
        PageIndex index = state.index();
        return new PageTags(state.scopes().scope(index.scope(entry)), Records.storageClass(index.storageClass(entry)));
    }

    public int lengthBytes()
    {
        return state.index().lengthBytes(entry);
    }

    /** The granules that the disk holds, one bit each. */
    public long granules()
    {
        return state.index().granules(entry);
    }

    /** The number of its segment. */
    public int segment()
    {
        return segment.id();
    }

    /** Random, so that no two generations of a segment are equal. */
    public long generation()
    {
        return segment.generation();
    }

    /** The number of its slot among all slots of all segments. */
    public int location()
    {
        return state.index().location(entry);
    }

    /** The file of its segment. */
    public Path file()
    {
        return state.path(segment);
    }

    /** The start of its frames in the file. */
    public long offsetBytes()
    {
        return segment.framesPosition(slot());
    }

    /** The disk space that it takes. */
    public int slotBytes()
    {
        return segment.slotBytes();
    }

    Segment home()
    {
        return segment;
    }

    int slot()
    {
        return Segment.slotOf(location());
    }
}
