package io.eyrie.fragment.result;

/**
 * What computing a result took.
 *
 * @param inputRows rows that were read
 * @param inputBytes bytes that were read
 * @param cpuNanos time that a processor was busy reading and computing
 */
public record Cost(long inputRows, long inputBytes, long cpuNanos)
{}
