// SPDX-License-Identifier: Apache-2.0
/** Tests reading the TPC-H queries. */
@NullMarked
package io.eyrie.testing.tpch;

import org.jspecify.annotations.NullMarked;
