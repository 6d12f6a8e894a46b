// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.select;

/** The reason why a split is read plainly although the session enables S3 Select. */
enum PlainReason
{
    /** The split is part of a file: stores cut records at the ends of a range. */
    PART_OF_FILE,
    /** The version of the file is not known. */
    UNVERSIONED,
    /** Users have individual rights at the store, or the client encrypts: one client runs S3 Select for all users. */
    PRINCIPAL,
    /** The store would not split the text into the same rows and fields as the reader, or the table does not declare that it would. */
    FORMAT,
    /** The file begins with a byte order mark, which the store returns as a part of the first field. */
    BYTE_ORDER_MARK,
    /** The store may change values of a column's type. */
    COLUMNS,
    /** The predicate accepts rows that the store leaves out: empty lines. */
    UNGUARDED,
    /** All rows and columns would be requested. */
    NO_GAIN,
    /** This worker ran S3 Select on the file before, so it now reads the file plainly to cache it. */
    SELECTED_BEFORE,
    /** The store recently refused a similar request. */
    REFUSED_BEFORE,
    /** The store refused this request, or failed before the first row. */
    REFUSED,
    /** The file has changed; the plain read reports the error. */
    CHANGED,
}
