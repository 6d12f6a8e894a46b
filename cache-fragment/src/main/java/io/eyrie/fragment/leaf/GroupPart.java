// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import java.util.List;
import java.util.Optional;

/**
 * One of several parts of the groups of an aggregation. The hash of a group's keys determines its part.
 *
 * @param count the number of parts, a power of two
 * @param index the index of this part
 * @param wanted the only groups that are computed; empty for all
 */
public record GroupPart(int count, int index, Optional<WantedGroups> wanted)
{
    public static final GroupPart ALL = new GroupPart(1, 0, Optional.empty());

    private static final int MAX_COUNT = 1 << 20;
    // spreads the bits of a hash, which may be a small number
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /** Returns the groups that may match some rows of the probe side. */
    public static GroupPart of(WantedGroups wanted)
    {
        return new GroupPart(1, 0, Optional.of(wanted));
    }

    /** Whether the part contains the groups of a hash. */
    public boolean contains(long hash)
    {
        return (((hash * SPREAD) >>> Integer.SIZE) & (count - 1)) == index;
    }

    /** Returns two parts with half the groups each; empty if the part is too small to be divided. */
    public List<GroupPart> halves()
    {
        return count == MAX_COUNT ? List.of() : List.of(new GroupPart(2 * count, index, wanted), new GroupPart(2 * count, index + count, wanted));
    }
}
