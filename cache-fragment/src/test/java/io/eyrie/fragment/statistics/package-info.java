// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code io.eyrie.fragment.statistics}. */
@NullMarked
package io.eyrie.fragment.statistics;

import org.jspecify.annotations.NullMarked;
