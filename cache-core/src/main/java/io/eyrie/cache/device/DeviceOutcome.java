// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.device;

/**
 * The outcome of an operation on a {@link Device}. With anything but {@link #OK}, the cache goes without the requested data or change; there is no
 * other effect.
 */
public enum DeviceOutcome
{
    OK,
    /** The file ends before the last requested byte. */
    END_OF_FILE,
    /** The calling thread is interrupted, and remains so. Any part of a write may have happened. */
    INTERRUPTED,
    /** The file was closed by its owner. */
    CLOSED,
    /** The file or directory does not exist, or the name of an opened file now refers to another one. */
    MISSING,
    /** This process lacks the permission. */
    DENIED,
    /** The path is a link or not a regular file, or another user may change it: see {@link OwnPaths}. */
    UNSAFE,
    /** The disk, or the quota on it, is full. Any part of a write may have happened. */
    NO_SPACE,
    READ_ONLY,
    /** The operation does not end. */
    HUNG,
    /** Any other failure. Any part of a write may have happened. */
    IO_ERROR,
}
