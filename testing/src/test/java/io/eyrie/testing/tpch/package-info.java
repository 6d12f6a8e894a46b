/** Tests of the TPC-H queries' reader. */
@NullMarked
package io.eyrie.testing.tpch;

import org.jspecify.annotations.NullMarked;
