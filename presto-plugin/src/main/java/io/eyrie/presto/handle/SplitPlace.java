// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.spi.HostAddress;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;

import java.util.List;

/**
 * The place of a split, which travels from the coordinator to the worker.
 *
 * @param preferred the nodes on which the split should run, best first; never empty
 * @param keepOn the identifiers of the nodes that cache the data that they read for the split; empty if none should
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
