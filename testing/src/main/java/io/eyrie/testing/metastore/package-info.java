/**
 * A real Hive Metastore on loopback, from the registry's jars, over an empty database, and moto's stand-in for AWS Glue. Called by integration tests and benchmarks. No
 * process outlives the JVM that started it.
 */
@NullMarked
package io.eyrie.testing.metastore;

import org.jspecify.annotations.NullMarked;
