// SPDX-License-Identifier: Apache-2.0
/**
 * Measures how much the footer caches save when a file is opened and one of its columns is read, compared with Presto's own caches and with none.
 * {@code bin/bench} runs it.
 */
@NullMarked
package io.eyrie.benchmarks.footer;

import org.jspecify.annotations.NullMarked;
