// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.micro;

/**
 * The size and duration of a benchmark; tests use tiny ones.
 *
 * @param forks JVMs per measurement; 0 measures in this JVM
 * @param warmups, iterations of each measurement, each of {@code millis}
 * @param filePages pages of the file that is read
 * @param smallPages pages of the store that is recovered; the store whose index is measured has twice as many
 */
record Effort(int forks, int warmups, int iterations, int millis, int filePages, int smallPages)
{
    static final Effort FULL = new Effort(1, 4, 4, 1000, 64, 1_000_000);
}
