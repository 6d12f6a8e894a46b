// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code io.eyrie.presto.footer}. */
@NullMarked
package io.eyrie.presto.footer;

import org.jspecify.annotations.NullMarked;
