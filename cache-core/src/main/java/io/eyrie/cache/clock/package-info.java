// SPDX-License-Identifier: Apache-2.0
/** The clock that determines the age of everything in the store. For the packages of cache-core. */
@NullMarked
package io.eyrie.cache.clock;

import org.jspecify.annotations.NullMarked;
