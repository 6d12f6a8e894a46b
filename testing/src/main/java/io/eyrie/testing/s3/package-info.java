/**
 * S3 servers for tests behind one interface: one inside the JVM, one in a container; and a small client to prepare and
 * look at what they hold. Called by integration tests, the demo and the benchmarks.
 */
@NullMarked
package io.eyrie.testing.s3;

import org.jspecify.annotations.NullMarked;
