package io.eyrie.presto.control;

import io.eyrie.cache.file.Scope;

/** A layer that operators steer. Called by one thread at a time; does not throw for the state of a disk. */
public interface Steerable
{
    /** Drops what is kept of a scope, in which {@code ""} stands for any; what is being loaded is not kept either. */
    void invalidate(Scope scope);

    /** Goes by the pins, rules, quotas and capacity of a state, in the place of those of the state before. */
    default void steer(ControlState state)
    {}
}
