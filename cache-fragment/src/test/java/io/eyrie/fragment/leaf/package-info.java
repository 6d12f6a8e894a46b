// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code io.eyrie.fragment.leaf}. */
@NullMarked
package io.eyrie.fragment.leaf;

import org.jspecify.annotations.NullMarked;
