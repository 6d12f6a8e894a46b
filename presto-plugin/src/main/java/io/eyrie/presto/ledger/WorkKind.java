// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.ledger;

/** The kinds of work that the caches save. */
public enum WorkKind
{
    /** Reads of a file, each of which is one GET of an object store. */
    GET_REQUESTS,
    LIST_REQUESTS,
    /** Calls of the metastore. */
    METASTORE_CALLS,
    /** Bytes of files. */
    BYTES,
    /** Processor time to compute fragment results. */
    CPU_NANOS
}
