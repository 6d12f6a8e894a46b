/**
 * What is kept of a metastore, bounded in bytes and in entries, and forgotten by what it is about. Called by the metastore in front of it. Invariant: a value that
 * was loaded across a change of what it is about is never kept.
 */
@NullMarked
package io.eyrie.metastore.entry;

import org.jspecify.annotations.NullMarked;
