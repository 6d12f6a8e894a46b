// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.blob;

import io.eyrie.cache.store.LookupStats;
import io.eyrie.cache.store.WriteStats;

/** Counters of the blobs of a {@link BlobCache} since it was opened. */
public record BlobCacheStats(LookupStats lookup, WriteStats write)
{}
