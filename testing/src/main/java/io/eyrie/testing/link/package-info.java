/**
 * A link between a client and an S3 server: it delays, limits, counts, records and breaks what passes. Called by
 * integration tests, the demo and the benchmarks. Invariant: what a client has received is already counted.
 */
@NullMarked
package io.eyrie.testing.link;

import org.jspecify.annotations.NullMarked;
