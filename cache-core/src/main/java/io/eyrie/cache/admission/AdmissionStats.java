package io.eyrie.cache.admission;

import java.util.Map;

/**
 * What was decided so far, in a dry run what would have been.
 *
 * @param decisions how often, for every {@code Admission}
 * @param bytes of ranges of how many bytes in all, for every {@code Admission}
 */
public record AdmissionStats(Map<Admission, Long> decisions, Map<Admission, Long> bytes)
{
    public AdmissionStats
    {
        decisions = Map.copyOf(decisions);
        bytes = Map.copyOf(bytes);
    }
}
