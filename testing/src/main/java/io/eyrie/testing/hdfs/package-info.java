// SPDX-License-Identifier: Apache-2.0
/** HDFS for the tests: a name node, whose requests are counted, and a data node. */
@NullMarked
package io.eyrie.testing.hdfs;

import org.jspecify.annotations.NullMarked;
