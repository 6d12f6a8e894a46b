// SPDX-License-Identifier: Apache-2.0
/** Tests. */
@NullMarked
package io.eyrie.cache.policy;

import org.jspecify.annotations.NullMarked;
