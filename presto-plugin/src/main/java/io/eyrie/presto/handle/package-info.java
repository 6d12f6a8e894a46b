// SPDX-License-Identifier: Apache-2.0
/**
 * Defines what travels between the coordinator and the workers: the layout of a scan with its leaf, the operators' commands and its warming, and the
 * split with its place. Knows neither how splits are placed nor how leaves are computed; {@code affinity}, {@code fragment} and {@code warm} do.
 *
 * <p>Invariants: the handle resolver names one class of layouts and one class of splits, because a connector has one of each.
 */
@NullMarked
package io.eyrie.presto.handle;

import org.jspecify.annotations.NullMarked;
