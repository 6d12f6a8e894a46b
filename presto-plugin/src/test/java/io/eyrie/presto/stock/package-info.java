/** Presto's Hive connector as Presto makes it, packed into a plugin folder of its own for tests and benchmarks beside Eyrie. */
@NullMarked
package io.eyrie.presto.stock;

import org.jspecify.annotations.NullMarked;
