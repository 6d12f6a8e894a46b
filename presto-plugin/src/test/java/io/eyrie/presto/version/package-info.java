// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code io.eyrie.presto.version}. */
@NullMarked
package io.eyrie.presto.version;

import org.jspecify.annotations.NullMarked;
