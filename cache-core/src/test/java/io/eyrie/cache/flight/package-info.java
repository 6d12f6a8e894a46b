// SPDX-License-Identifier: Apache-2.0
/** Tests of shared loads. */
@NullMarked
package io.eyrie.cache.flight;

import org.jspecify.annotations.NullMarked;
