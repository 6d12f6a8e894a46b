/**
 * The build-time tool that links Presto's Hive connector of one release to the SPI of another. Run by this module's
 * build alone; no class of this package is in the jar that the module makes.
 */
@NullMarked
package io.eyrie.relink;

import org.jspecify.annotations.NullMarked;
