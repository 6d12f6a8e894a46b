// SPDX-License-Identifier: Apache-2.0
/**
 * S3 servers for tests behind one interface: one inside the JVM, one in a container. A small client fills and inspects them. Integration tests, the
 * demo and the benchmarks use them.
 */
@NullMarked
package io.eyrie.testing.s3;

import org.jspecify.annotations.NullMarked;
