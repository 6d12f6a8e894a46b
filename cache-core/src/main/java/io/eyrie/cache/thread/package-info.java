// SPDX-License-Identifier: Apache-2.0
/**
 * Provides the threads of a cache, their clock, and ways to wait for them. The rest of the cache obtains them from
 * {@link io.eyrie.cache.thread.Threads}, so that a test can run everything on one thread, in an order of its choice.
 */
@NullMarked
package io.eyrie.cache.thread;

import org.jspecify.annotations.NullMarked;
