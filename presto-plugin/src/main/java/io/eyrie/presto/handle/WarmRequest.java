// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What a scan loads into the cache.
 *
 * @param data whether to load the bytes of the files; otherwise only the footers of columnar files
 * @param maxBytes the most bytes of files, {@link Long#MAX_VALUE} without a bound
 */
public record WarmRequest(@JsonProperty("data") boolean data, @JsonProperty("maxBytes") long maxBytes)
{
    @JsonCreator
    public WarmRequest
    {}
}
