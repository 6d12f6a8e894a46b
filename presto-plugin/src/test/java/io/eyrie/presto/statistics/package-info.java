// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code io.eyrie.presto.statistics}. */
@NullMarked
package io.eyrie.presto.statistics;

import org.jspecify.annotations.NullMarked;
