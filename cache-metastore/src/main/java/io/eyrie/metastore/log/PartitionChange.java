// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.log;

/** What happened to partitions. */
public enum PartitionChange
{
    ADDED,
    ALTERED,
    /** They were dropped, or have other values now. */
    DROPPED,
}
