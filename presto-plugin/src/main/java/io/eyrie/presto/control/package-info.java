// SPDX-License-Identifier: Apache-2.0
/**
 * Commands of operators to the caches of a running catalog: the coordinator stores them in a file and sends them to the workers with every scan's layout and
 * split.
 *
 * <p>Invariant: a command to one coordinator takes effect on a worker before it reads the first split of a query that was planned later.
 */
@NullMarked
package io.eyrie.presto.control;

import org.jspecify.annotations.NullMarked;
