package io.eyrie.cache.admission;

import java.util.Map;
import java.util.OptionalLong;

/**
 * What was decided so far, in a dry run what would have been.
 *
 * @param decisions how often, for every {@code Admission}; none of what decides nothing
 * @param bytes of ranges of how many bytes in all, for every {@code Admission}
 * @param dayBytes what the disks got in the last day, where that is bounded
 * @param dayLimitBytes its bound
 */
public record AdmissionStats(Map<Admission, Long> decisions, Map<Admission, Long> bytes, OptionalLong dayBytes, OptionalLong dayLimitBytes)
{
    /** Of what decides nothing. */
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

    /** How often an admission ended so. */
    public long count(Admission decision)
    {
        return decisions.getOrDefault(decision, 0L);
    }
}
