// SPDX-License-Identifier: Apache-2.0
/** Tests of simulated caches. */
@NullMarked
package io.eyrie.cache.simulation;

import org.jspecify.annotations.NullMarked;
