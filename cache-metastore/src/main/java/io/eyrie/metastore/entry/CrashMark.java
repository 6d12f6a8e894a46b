// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

/**
 * A number that changes when stored file lists are dropped for good. A stored root contains the number at the time of its write: if a crash undoes the drop,
 * the numbers differ. Thread-safe. Does not throw because of the state of a disk.
 */
public interface CrashMark
{
    /** Returns the number. */
    long current();

    /**
     * Changes the number to one that it never was. It is on the disk when this returns; if that fails, {@link #current} in a later process differs from all
     * numbers so far. Waits a limited time for a disk that does not answer; then neither is certain.
     */
    void renew();
}
