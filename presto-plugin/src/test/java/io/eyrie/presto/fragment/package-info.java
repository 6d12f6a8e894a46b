// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code io.eyrie.presto.fragment}. */
@NullMarked
package io.eyrie.presto.fragment;

import org.jspecify.annotations.NullMarked;
