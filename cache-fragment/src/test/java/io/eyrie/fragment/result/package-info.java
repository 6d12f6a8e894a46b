// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code io.eyrie.fragment.result}. */
@NullMarked
package io.eyrie.fragment.result;

import org.jspecify.annotations.NullMarked;
