// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code bin/bench footer}. */
@NullMarked
package io.eyrie.benchmarks.footer;

import org.jspecify.annotations.NullMarked;
