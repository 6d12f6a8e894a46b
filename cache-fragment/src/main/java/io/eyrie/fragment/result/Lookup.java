package io.eyrie.fragment.result;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What became of asking for a result. */
public sealed interface Lookup
{
    /** It is there: close it in any case. */
    record Hit(StoredResult result)
            implements Lookup
    {}

    /** It is not: compute it, hand the recorder every page and the end, and close the recorder in any case. */
    record Miss(Recorder recorder)
            implements Lookup
    {}

    /** It is there, but results that are recorded and served hold all the memory that they may: compute it, and record nothing. */
    record Busy()
            implements Lookup
    {}

    /**
     * Another is computing it.
     *
     * @param ended ends within {@link FragmentLimits#waitMillis} and never fails
     * @param result what there is then, to be closed; empty if there will be none, or not yet, or no memory for it: whoever waited computes by itself and records nothing
     * @param leave called in any case, after {@code result} if that is called: gives up the bytes that another computed
     */
    record Wait(CompletableFuture<?> ended, Supplier<Optional<StoredResult>> result, Runnable leave)
            implements Lookup
    {}
}
