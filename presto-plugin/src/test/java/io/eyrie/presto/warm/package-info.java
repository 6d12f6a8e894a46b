// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code io.eyrie.presto.warm}. */
@NullMarked
package io.eyrie.presto.warm;

import org.jspecify.annotations.NullMarked;
