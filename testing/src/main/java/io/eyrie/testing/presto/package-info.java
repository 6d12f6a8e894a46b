/**
 * Real Presto processes on loopback: a coordinator and its workers, from the registry's jars. Called by integration
 * tests, the demo and the benchmarks. No process outlives the JVM that started it.
 */
@NullMarked
package io.eyrie.testing.presto;

import org.jspecify.annotations.NullMarked;
