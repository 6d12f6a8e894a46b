// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

/** The exclusive right of one store to work on one directory. A process that ends without closing it loses it as well. Thread-safe. */
public interface DirectoryLock
        extends AutoCloseable
{
    /** The name of the lock file in the directory. */
    String FILE_NAME = "lock";

    /** Whether no other owner can have taken the directory. */
    boolean isHeld();

    @Override
    void close();
}
