package io.eyrie.benchmarks.micro;

/**
 * How large and how long a benchmark is; tests have it tiny.
 *
 * @param forks JVMs a measurement, 0 for none of its own
 * @param warmups, iterations of each measurement, each of {@code millis}
 * @param filePages pages of the file that is read
 * @param smallPages pages of the store that is recovered; the one whose index is weighed has twice as many
 */
record Effort(int forks, int warmups, int iterations, int millis, int filePages, int smallPages)
{
    static final Effort FULL = new Effort(1, 4, 4, 1000, 64, 1_000_000);
}
