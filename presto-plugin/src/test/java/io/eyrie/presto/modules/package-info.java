/** The arrows between Eyrie's modules, as seen from the one that uses them all. */
@NullMarked
package io.eyrie.presto.modules;

import org.jspecify.annotations.NullMarked;
