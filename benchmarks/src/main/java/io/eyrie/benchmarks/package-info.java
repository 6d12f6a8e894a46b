// SPDX-License-Identifier: Apache-2.0
/**
 * The commands of {@code bin/demo} and {@code bin/bench}; not shipped. This package contains the code that the commands share. It uses
 * {@code testing}; no other module uses it.
 */
@NullMarked
package io.eyrie.benchmarks;

import org.jspecify.annotations.NullMarked;
