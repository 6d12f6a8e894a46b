// SPDX-License-Identifier: Apache-2.0
/**
 * Real Presto processes on loopback: a coordinator and its workers, from the registry's jars. Integration tests, the demo and the benchmarks use
 * them. No process outlives the JVM that started it.
 */
@NullMarked
package io.eyrie.testing.presto;

import org.jspecify.annotations.NullMarked;
