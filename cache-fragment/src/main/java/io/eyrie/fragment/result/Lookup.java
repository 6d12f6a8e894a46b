package io.eyrie.fragment.result;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What became of asking for a result. */
public sealed interface Lookup
{
    /** It is there. */
    record Hit(StoredResult result)
            implements Lookup
    {}

    /** It is not: compute it, hand the recorder every page and the end, and close the recorder in any case. */
    record Miss(Recorder recorder)
            implements Lookup
    {}

    /**
     * Another is computing it.
     *
     * @param ended ends within {@link FragmentLimits#waitMillis} and never fails
     * @param result what there is then; empty if there will be none, or not yet: whoever waited computes by itself and records nothing
     */
    record Wait(CompletableFuture<?> ended, Supplier<Optional<StoredResult>> result)
            implements Lookup
    {}
}
