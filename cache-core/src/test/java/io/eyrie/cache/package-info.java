// SPDX-License-Identifier: Apache-2.0
/** Tests of the cache as a whole. */
@NullMarked
package io.eyrie.cache;

import org.jspecify.annotations.NullMarked;
