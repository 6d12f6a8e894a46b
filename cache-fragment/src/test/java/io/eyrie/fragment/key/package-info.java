// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code io.eyrie.fragment.key}. */
@NullMarked
package io.eyrie.fragment.key;

import org.jspecify.annotations.NullMarked;
