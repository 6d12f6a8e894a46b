// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.admission;

import java.util.Map;
import java.util.OptionalLong;

/**
 * Counts of the decisions so far; in a dry run, of the decisions that would have been made.
 *
 * @param decisions how often each {@code Admission} was decided; empty if nothing decides
 * @param bytes total length of the ranges with each {@code Admission}
 * @param dayBytes bytes admitted in the last day, if they are limited
 * @param dayLimitBytes the limit
 */
public record AdmissionStats(Map<Admission, Long> decisions, Map<Admission, Long> bytes, OptionalLong dayBytes, OptionalLong dayLimitBytes)
{
    /** The counts if nothing decides. */
    public static final AdmissionStats NONE = new AdmissionStats(Map.of(), Map.of());

    public AdmissionStats(Map<Admission, Long> decisions, Map<Admission, Long> bytes)
    {
        this(decisions, bytes, OptionalLong.empty(), OptionalLong.empty());
    }

    public AdmissionStats
    {
        decisions = Map.copyOf(decisions);
        bytes = Map.copyOf(bytes);
    }

    /** How often this was decided. */
    public long count(Admission decision)
    {
        return decisions.getOrDefault(decision, 0L);
    }
}
