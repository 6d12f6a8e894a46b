// SPDX-License-Identifier: Apache-2.0
/** Tests selection in the store. */
@NullMarked
package io.eyrie.presto.select;

import org.jspecify.annotations.NullMarked;
