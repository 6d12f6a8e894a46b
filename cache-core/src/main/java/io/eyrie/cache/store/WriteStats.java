// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import io.eyrie.cache.metric.Metric;

/** Counts of the writes of a cache to a {@link PageStore}, by outcome. */
public record WriteStats(
        @Metric("runs of adjacent granules written, each in one page") long writes,
        @Metric("bytes of these runs") long writtenBytes,
        @Metric("runs that the page store did not accept: no room, a quota, a directory out of service") long declinedWrites,
        @Metric("runs invalidated while they were loaded") long staleWrites,
        @Metric("runs not cached because too many bytes were waiting to be written") long busyWrites,
        @Metric("runs not written because the disk failed") long failedWrites)
{}
