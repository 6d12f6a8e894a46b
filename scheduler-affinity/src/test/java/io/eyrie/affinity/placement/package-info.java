// SPDX-License-Identifier: Apache-2.0
/** Tests of placement: recorded values, movement, balance, order. */
@NullMarked
package io.eyrie.affinity.placement;

import org.jspecify.annotations.NullMarked;
