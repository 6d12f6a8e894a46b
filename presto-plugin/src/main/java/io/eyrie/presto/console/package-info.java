/**
 * What the cache does, in SQL: tables in the schema {@code cache}, to which every node gives its rows.
 */
@NullMarked
package io.eyrie.presto.console;

import org.jspecify.annotations.NullMarked;
