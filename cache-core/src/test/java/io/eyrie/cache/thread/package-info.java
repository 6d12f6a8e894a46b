// SPDX-License-Identifier: Apache-2.0
/** Threads for tests. */
@NullMarked
package io.eyrie.cache.thread;

import org.jspecify.annotations.NullMarked;
