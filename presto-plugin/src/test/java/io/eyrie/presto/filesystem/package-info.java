// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code io.eyrie.presto.filesystem}. */
@NullMarked
package io.eyrie.presto.filesystem;

import org.jspecify.annotations.NullMarked;
