// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code io.eyrie.presto.console}. */
@NullMarked
package io.eyrie.presto.console;

import org.jspecify.annotations.NullMarked;
