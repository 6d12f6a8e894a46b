// SPDX-License-Identifier: Apache-2.0
/**
 * A real Hive Metastore on loopback, from the registry's jars, with an empty database, and moto's emulation of AWS Glue. Integration tests and
 * benchmarks use it. No process outlives the JVM that started it.
 */
@NullMarked
package io.eyrie.testing.metastore;

import org.jspecify.annotations.NullMarked;
