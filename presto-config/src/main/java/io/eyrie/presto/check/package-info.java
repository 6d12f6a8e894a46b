// SPDX-License-Identifier: Apache-2.0
/**
 * Finds errors in a catalog's file and problems of the machine that reads it. The plugin calls it when a catalog starts, and so does the eyrie command. It
 * changes nothing, and no content of a file makes it throw.
 */
@NullMarked
package io.eyrie.presto.check;

import org.jspecify.annotations.NullMarked;
