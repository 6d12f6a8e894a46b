/**
 * What the cache was asked for, page by page: recording it, reading it again, and simulating other caches over it. {@code TraceListener} is the
 * hook in {@code page}. Beside recordings there are synthetic traces.
 *
 * <p>Invariants: <i>T1</i> a reader never waits for its recording; what there is no room for is counted as lost. <i>T2</i> whatever bytes a trace
 * file has, reading it ends, with an {@code IOException} at worst.
 *
 * <p>Format: docs/formats/trace-v1.md
 */
@NullMarked
package io.eyrie.cache.trace;

import org.jspecify.annotations.NullMarked;
