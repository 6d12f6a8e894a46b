// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.store.LookupStats;
import io.eyrie.cache.store.PageStoreStats;
import io.eyrie.cache.store.WriteStats;

/**
 * Counters of a {@link PageCache} since it was opened, at one moment. Each metric is counted where its annotation is.
 *
 * @param lookup lookups; a lookup is one page looked up for one read
 */
public record PageCacheStats(LookupStats lookup, FetchStats fetch, WriteStats write, PageStoreStats store)
{}
