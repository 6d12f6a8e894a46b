// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.soak;

/** A kind of fault that is injected. */
enum Fault
{
    S3_SLOW, S3_RESETS, S3_UNAVAILABLE, S3_TRUNCATES, METASTORE_RESTARTED, DISK_FULL, DISK_READ_ONLY, DISK_WRONG_BYTES, WORKER_KILLED,
    QUERIES_CANCELLED
}
