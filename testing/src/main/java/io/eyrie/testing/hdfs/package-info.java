/** HDFS for the tests: a name node and a data node, which say how often they were asked. */
@NullMarked
package io.eyrie.testing.hdfs;

import org.jspecify.annotations.NullMarked;
