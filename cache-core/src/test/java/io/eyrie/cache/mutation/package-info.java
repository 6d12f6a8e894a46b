// SPDX-License-Identifier: Apache-2.0
/** Creates objects that differ in one field, for tests of keys in every module. No shipped code uses it. */
@NullMarked
package io.eyrie.cache.mutation;

import org.jspecify.annotations.NullMarked;
