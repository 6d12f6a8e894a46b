/**
 * The threads of a cache, the time by which they work, and how they are waited for. The rest of the cache asks {@link io.eyrie.cache.thread.Threads}
 * for them, so that a test can run everything in one thread, in an order of its choice.
 */
@NullMarked
package io.eyrie.cache.thread;

import org.jspecify.annotations.NullMarked;
