// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

/** The outcome of appending a record to a {@link Journal}. */
public enum AppendOutcome
{
    ACCEPTED,
    /** The buffer is full: records arrive faster than the disk writes them. */
    FULL,
    /** The disk currently fails. */
    DEVICE_ERROR,
    CLOSED,
}
