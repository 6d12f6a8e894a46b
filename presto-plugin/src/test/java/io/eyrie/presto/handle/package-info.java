// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code io.eyrie.presto.handle}. */
@NullMarked
package io.eyrie.presto.handle;

import org.jspecify.annotations.NullMarked;
