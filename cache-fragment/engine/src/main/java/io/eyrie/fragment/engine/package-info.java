// SPDX-License-Identifier: Apache-2.0
/**
 * Runs leaf fragments on functions that the engine itself compiles. A child of the engine's class loader loads this package, and the plugin's loader
 * cannot see it: only the plugin's {@code io.eyrie.fragment.leaf} and types of the JDK and of Presto's SPI cross the boundary. The package fits only the engine that it was compiled against; if it does not
 * load, plans stay unchanged.
 *
 * <p>Invariant: <i>E1</i> a leaf's output equals that of the engine's own operators for the same pages; partial aggregates may come in any number of
 * pieces.
 */
@NullMarked
package io.eyrie.fragment.engine;

import org.jspecify.annotations.NullMarked;
