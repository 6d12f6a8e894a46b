// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import io.eyrie.fragment.leaf.LeafRun;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The outcome of a lookup. */
public sealed interface ResultLookup
{
    /** The result exists. Always close it. */
    record Hit(StoredResult result)
            implements ResultLookup
    {}

    /**
     * The result does not exist: compute it, pass the recorder every page and the end, and always close the recorder.
     *
     * @param absence why, as far as that is known
     */
    record Miss(ResultRecorder recorder, Absence absence)
            implements ResultLookup
    {}

    /**
     * The result does not exist, but one of finer groups does. Merge its pages, which costs less than reading the split; always close both. If that
     * fails, compute the result as after a miss.
     *
     * @param finer the result of finer groups
     * @param merge creates a run over its pages
     * @param recorder records the merged result; empty if nothing is to be recorded
     */
    record Finer(StoredResult finer, Supplier<LeafRun> merge, Optional<ResultRecorder> recorder)
            implements ResultLookup
    {}

    /** Why a result does not exist. */
    enum Absence
    {
        UNKNOWN,
        /** It was stored, and was recently evicted to make room. */
        EVICTED,
        /** It was computed, but not admitted to the store, or not accepted by it. */
        NOT_WRITTEN,
        /** It was computed once and is large: only its second recording is stored. */
        LARGE,
    }

    /** The result exists, but results being recorded and served hold all the memory that they may. Compute it, and record nothing. */
    record Busy()
            implements ResultLookup
    {}

    /**
     * Another caller is computing the result.
     *
     * @param ended completes within {@link FragmentLimits#waitMillis} and never fails
     * @param result the result at that time, to be closed; empty if there will be none, or not yet, or no memory for it: the waiter then computes it
     *         and records nothing
     * @param withheld why {@code result} was empty, if that is known: the recording was abandoned, or there was no memory for its result
     * @param leave always call it, after {@code result} if that is called: releases the shared bytes
     */
    record Wait(CompletableFuture<?> ended, Supplier<Optional<StoredResult>> result, Supplier<Optional<Abandonment>> withheld, Runnable leave)
            implements ResultLookup
    {}
}
