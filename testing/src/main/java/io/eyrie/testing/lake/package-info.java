// SPDX-License-Identifier: Apache-2.0
/**
 * A data lake on this machine: an S3 server behind the shaped link, and a Presto cluster with a catalog {@code eyrie} on it. Integration tests, the
 * demo and the benchmarks use it.
 */
@NullMarked
package io.eyrie.testing.lake;

import org.jspecify.annotations.NullMarked;
