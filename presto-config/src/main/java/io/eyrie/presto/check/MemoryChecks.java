// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.presto.memory.MemoryPlan;
import io.eyrie.presto.memory.MemoryPlan.Share;

import java.util.ArrayList;
import java.util.List;

import static io.airlift.units.DataSize.succinctBytes;

/** Compares the heap memory that the caches may take with the bound of the catalog and the headroom of the engine. */
final class MemoryChecks
{
    private static final String BOUND = "cache.max-memory";
    /** The fraction of the headroom that the caches may take; the rest is for all else that queries do not account for. */
    private static final double MOST_OF_HEADROOM = 2.0 / 3;

    private MemoryChecks()
    {}

    static List<Finding> of(MemoryPlan plan)
    {
        List<Finding> findings = new ArrayList<>();
        String bound = succinctBytes(plan.boundBytes()) + (plan.boundIsPreset() ? ", " + MemoryPlan.PRESET_PERCENT + " percent of the heap" : "");
        plan.scaled().ifPresent(scaled -> findings.add(Finding.note(BOUND, bound, scaled)));
        if (plan.totalBytes() > plan.boundBytes()) {
            findings.add(Finding.warning(BOUND, bound, "the layers need " + succinctBytes(plan.shares().stream().mapToLong(Share::floorBytes).sum())
                    + " at least, and use it in any case", "raise it or -Xmx, or turn layers off"));
        }
        return findings;
    }

    /**
     * Compares the memory of all caches with the engine's headroom.
     *
     * @param totalBytes the memory that the caches of all catalogs together may take
     */
    static List<Finding> of(long totalBytes, Engine engine)
    {
        if (engine.headroomBytes().isEmpty()) {
            return List.of();
        }
        long headroom = engine.headroomBytes().getAsLong();
        String problem = "the caches of all catalogs may use " + succinctBytes(totalBytes)
                + " of it; Presto reserves it for memory that no query accounts for";
        String fix = "raise it in the engine's configuration, or lower " + BOUND + " in the catalogs";
        if (totalBytes > headroom) {
            return List.of(Finding.error(Engine.HEADROOM, succinctBytes(headroom).toString(), problem, fix));
        }
        if (totalBytes > headroom * MOST_OF_HEADROOM) {
            return List.of(Finding.warning(Engine.HEADROOM, succinctBytes(headroom).toString(), problem, fix));
        }
        return List.of();
    }
}
