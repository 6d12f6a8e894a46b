// SPDX-License-Identifier: Apache-2.0
/** Tests of affinity in Presto. */
@NullMarked
package io.eyrie.presto.affinity;

import org.jspecify.annotations.NullMarked;
