// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import io.eyrie.cache.file.Scope;

/** A layer that operators control. Called by one thread at a time; does not throw because of the state of a disk. */
public interface Steerable
{
    /** What a layer derives its data from: layers of earlier stages. */
    enum Stage
    {
        /** Pages, metadata and file lists, which come from outside. */
        SOURCES,
        FOOTERS,
        /** What footers prove. */
        STATISTICS,
        RESULTS
    }

    /**
     * Returns the stage of the layer. Layers are invalidated in the order of their stages: a layer that was invalidated earlier could derive the dropped data
     * again from a layer that still has it.
     */
    default Stage stage()
    {
        return Stage.SOURCES;
    }

    /** Drops the cached data of a scope, in which {@code ""} matches any. Data that is being loaded is not cached either. */
    void invalidate(Scope scope);

    /** Applies the pins, rules, quotas, capacity and trace recording of a state, instead of those of the state before. */
    default void steer(ControlState state)
    {}
}
