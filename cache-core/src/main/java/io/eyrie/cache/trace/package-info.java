// SPDX-License-Identifier: Apache-2.0
/**
 * Records the page lookups of a cache, and reads the records. {@code page} calls the {@code TraceListener}; {@code simulation} simulates caches
 * over the records.
 *
 * <p>Invariants: <i>T1</i> a reader never waits for its recording; lookups without room are counted as lost. <i>T2</i> reading a trace file
 * always ends, whatever bytes it contains, at worst with an {@code IOException}.
 *
 * <p>Format: docs/formats/trace-v1.md
 */
@NullMarked
package io.eyrie.cache.trace;

import org.jspecify.annotations.NullMarked;
