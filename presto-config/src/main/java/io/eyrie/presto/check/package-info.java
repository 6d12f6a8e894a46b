/**
 * Looks for what is wrong with a catalog's file and the machine that it is read on. Called by the plugin when a catalog starts, and by the eyrie
 * command; changes nothing, and throws for nothing that a file may hold.
 */
@NullMarked
package io.eyrie.presto.check;

import org.jspecify.annotations.NullMarked;
