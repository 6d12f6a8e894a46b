/**
 * Open streams of remote files that outlive their readers: the next reader of the same file version and principal goes on with one, where opening
 * costs the store a request. Callers that adapt a remote client use it; nothing here does I/O of its own.
 *
 * <p>Invariants: <i>H1</i> no two readers have one handle at a time. <i>H2</i> a handle that failed is closed and not given out again.
 * <i>H3</i> at most so many handles are idle, none for longer than the idle time. <i>H4</i> a handle is closed once.
 */
@NullMarked
package io.eyrie.cache.handle;

import org.jspecify.annotations.NullMarked;
