// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code bin/bench}; not shipped. This package contains the code that its commands share. It uses {@code testing} and {@code demo}; no
 * other module uses it.
 */
@NullMarked
package io.eyrie.benchmarks;

import org.jspecify.annotations.NullMarked;
