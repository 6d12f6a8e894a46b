// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

/** The kind of bytes that a page holds, from the most to the least worth retaining. */
public enum StorageClass
{
    /** Footers and indexes of files: small, and expensive to lose. */
    FOOTER,
    /** Results computed from data. */
    RESULT,
    DATA,
}
