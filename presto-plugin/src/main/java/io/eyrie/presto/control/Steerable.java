// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import io.eyrie.cache.file.Scope;

/** A layer that operators control. Called by one thread at a time; does not throw because of the state of a disk. */
public interface Steerable
{
    /** Drops the cached data of a scope, in which {@code ""} matches any. Data that is being loaded is not cached either. */
    void invalidate(Scope scope);

    /** Applies the pins, rules, quotas, capacity and trace recording of a state, instead of those of the state before. */
    default void steer(ControlState state)
    {}
}
