// SPDX-License-Identifier: Apache-2.0
/** Tests of journals. */
@NullMarked
package io.eyrie.cache.journal;

import org.jspecify.annotations.NullMarked;
