package io.eyrie.affinity.simulation;

import java.util.List;

/** What the simulation asks of a way to place files: ours, Presto's, or one that was rejected. */
public interface Placement
{
    /** The identifier of the node that a file belongs to. */
    String owner(String path);

    /** Begins a query. A placement without a bound sends each split to its file's owner. */
    default Query query()
    {
        return this::owner;
    }

    /** Places the splits of a query. */
    interface Query
    {
        /** The identifier of the node of one more split of a file. */
        String place(String path);
    }

    /** Makes a placement over nodes. */
    interface Factory
    {
        Placement over(List<String> nodeIds);
    }
}
