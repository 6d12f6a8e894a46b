// SPDX-License-Identifier: Apache-2.0
/** Tests of the segment store. */
@NullMarked
package io.eyrie.cache.segment;

import org.jspecify.annotations.NullMarked;
