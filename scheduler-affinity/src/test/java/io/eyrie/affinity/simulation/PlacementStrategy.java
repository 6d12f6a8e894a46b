// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.simulation;

import java.util.List;

/** A way to place files, for the simulation: Eyrie's, Presto's, or a rejected one. */
public interface PlacementStrategy
{
    /** Returns the identifier of the node that owns a file. */
    String owner(String path);

    /** Begins a query. A placement without a bound sends each split to its file's owner. */
    default Query query()
    {
        return this::owner;
    }

    /** Places the splits of a query. */
    interface Query
    {
        /** Returns the identifier of the node for one more split of a file. */
        String place(String path);
    }

    /** Creates a placement for a list of nodes. */
    interface Factory
    {
        PlacementStrategy over(List<String> nodeIds);
    }
}
