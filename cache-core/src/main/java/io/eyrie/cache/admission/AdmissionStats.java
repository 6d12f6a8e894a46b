package io.eyrie.cache.admission;

import java.util.Map;

/**
 * What was decided so far, in a dry run what would have been.
 *
 * @param decisions how often, for every {@code Admission}; none of what decides nothing
 * @param bytes of ranges of how many bytes in all, for every {@code Admission}
 */
public record AdmissionStats(Map<Admission, Long> decisions, Map<Admission, Long> bytes)
{
    /** Of what decides nothing. */
    public static final AdmissionStats NONE = new AdmissionStats(Map.of(), Map.of());

    public AdmissionStats
    {
        decisions = Map.copyOf(decisions);
        bytes = Map.copyOf(bytes);
    }

    /** How often an admission ended so. */
    public long count(Admission decision)
    {
        return decisions.getOrDefault(decision, 0L);
    }
}
