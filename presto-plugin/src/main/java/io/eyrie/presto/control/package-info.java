/**
 * What operators tell the caches of a running catalog: kept by the coordinator in a file, sent to the workers with every scan's layout and split.
 *
 * <p>Invariant: what is told by one coordinator takes effect on a worker before it reads the first split of a query that was planned later.
 */
@NullMarked
package io.eyrie.presto.control;

import org.jspecify.annotations.NullMarked;
