/**
 * Presto's metastore interface with answers from memory, each validated by the metastore before it is given. Wired by the plugin. Invariant: a query sees every
 * change that was made through the metastore before the query began.
 */
@NullMarked
package io.eyrie.metastore;

import org.jspecify.annotations.NullMarked;
