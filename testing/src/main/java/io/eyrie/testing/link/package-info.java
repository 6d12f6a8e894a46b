// SPDX-License-Identifier: Apache-2.0
/**
 * A link between a client and an S3 server. It delays, limits, counts and records requests, and injects faults. Integration tests, the demo and the
 * benchmarks use it. Invariant: bytes are counted before the client receives them.
 */
@NullMarked
package io.eyrie.testing.link;

import org.jspecify.annotations.NullMarked;
