// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

/**
 * The cost of computing a result.
 *
 * @param inputRows rows read
 * @param inputBytes bytes read
 * @param cpuNanos CPU time for reading and computing
 */
public record Cost(long inputRows, long inputBytes, long cpuNanos)
{}
