// SPDX-License-Identifier: Apache-2.0
/** Tests. */
@NullMarked
package io.eyrie.cache.admission;

import org.jspecify.annotations.NullMarked;
