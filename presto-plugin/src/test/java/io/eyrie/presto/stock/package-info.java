// SPDX-License-Identifier: Apache-2.0
/** Presto's unchanged Hive connector, packed into a separate plugin folder for tests and benchmarks that compare it with Eyrie. */
@NullMarked
package io.eyrie.presto.stock;

import org.jspecify.annotations.NullMarked;
