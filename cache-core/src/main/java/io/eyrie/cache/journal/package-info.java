/**
 * Keeps the operations of an owner on its state so that a restart finds the state again: a log, snapshots, and their recovery.
 * Used by {@code segment} for the index of one directory; its records are opaque here. {@link io.eyrie.cache.journal.JournalReader} reads what
 * another process writes.
 *
 * <p>Invariants: <i>J1</i> a record that is replayed was appended, unchanged. <i>J2</i> the records of the logs that are replayed are all those that
 * were accepted up to some moment, in their order. <i>J3</i> at that moment everything forced before the crash was past. <i>J4</i> no
 * caller of {@code append} waits for the disk. <i>J5</i> with keys, no byte of a record is on the disk as it is.
 *
 * <p>Format: docs/formats/journal-v1.md
 */
@NullMarked
package io.eyrie.cache.journal;

import org.jspecify.annotations.NullMarked;
