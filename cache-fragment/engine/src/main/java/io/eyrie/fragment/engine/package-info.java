/**
 * Leaves of plans on the functions that the engine compiles itself. Loaded by a child of the engine's class loader, which the plugin's loader does not see: only types of the
 * JDK and of Presto's SPI cross the border. Fits the engine that it was compiled against; where it does not load, plans stay as they are.
 *
 * <p>Invariant: <i>E1</i> what a leaf gives is what the engine's own operators would have given for the same pages, partial aggregates in any number of pieces.
 */
@NullMarked
package io.eyrie.fragment.engine;

import org.jspecify.annotations.NullMarked;
