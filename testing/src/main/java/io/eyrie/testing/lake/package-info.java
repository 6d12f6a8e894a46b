/**
 * A data lake on this machine: an S3 server behind the shaped link, and a Presto cluster with a catalog {@code eyrie} on it. What integration
 * tests, the demo and the benchmarks stand on.
 */
@NullMarked
package io.eyrie.testing.lake;

import org.jspecify.annotations.NullMarked;
