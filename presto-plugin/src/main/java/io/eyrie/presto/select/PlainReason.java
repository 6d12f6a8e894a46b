package io.eyrie.presto.select;

/** Why a split is read plainly though the session asks for selecting in the store. */
enum PlainReason
{
    /** The split is a part of its file: stores cut records at the ends of a range. */
    PART_OF_FILE,
    /** Nothing says which version of the file is meant. */
    UNVERSIONED,
    /** The user has rights of their own at the store, or the client encrypts: one client selects for all. */
    PRINCIPAL,
    /** The store would not cut the text into the rows and fields that the reader sees, or the table does not say so. */
    FORMAT,
    /** A column is of a kind that the store may give back changed. */
    COLUMNS,
    /** The predicate would keep a row that the store leaves out: an empty line. */
    UNGUARDED,
    /** Every row and column would be asked for. */
    NO_GAIN,
    /** This worker selected from the file before: it is now read to be kept. */
    SELECTED_BEFORE,
    /** The store refused the like a while ago. */
    REFUSED_BEFORE,
    /** The store refused now, or failed before the first row. */
    REFUSED,
    /** The file is another one by now; the plain read says so. */
    CHANGED,
}
