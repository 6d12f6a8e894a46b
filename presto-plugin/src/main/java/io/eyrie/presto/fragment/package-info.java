// SPDX-License-Identifier: Apache-2.0
/**
 * Provides fragment results in Presto: the coordinator takes leaves out of plans, and the page source on the worker computes them or serves their
 * results.
 *
 * <p>Invariants: every Hive layout of a plan is a {@link io.eyrie.presto.handle.EyrieLayoutHandle}, the class that the handle resolver names. A
 * leaf that is refused stays in the plan as Presto made it.
 */
@NullMarked
package io.eyrie.presto.fragment;

import org.jspecify.annotations.NullMarked;
