package io.eyrie.presto.affinity;

import com.facebook.presto.spi.HostAddress;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;

import java.util.List;

/**
 * Where a split belongs, as it travels from the coordinator to the worker.
 *
 * @param preferred where it should run, the best first; never empty
 * @param keepOn the identifiers of the nodes that keep what they read of it; empty if none should
 */
public record SplitPlace(@JsonProperty("preferred") List<HostAddress> preferred, @JsonProperty("keepOn") List<String> keepOn)
{
    @JsonCreator
    public SplitPlace
    {
        preferred = List.copyOf(preferred);
        keepOn = List.copyOf(keepOn);
    }
}
