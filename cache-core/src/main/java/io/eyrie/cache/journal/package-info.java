// SPDX-License-Identifier: Apache-2.0
/**
 * Persists the state of an owner, so that a restart restores it: a log of operations, snapshots, and recovery. Used by {@code segment} for the index
 * of one directory; its records are opaque here. {@link io.eyrie.cache.journal.JournalReader} reads a journal that another process writes.
 *
 * <p>Invariants: <i>J1</i> a replayed record was appended, unchanged. <i>J2</i> the records replayed from logs are all those that were accepted up to
 * some moment, in their order. <i>J3</i> this moment is after everything that was forced before the crash. <i>J4</i> no caller of {@code append}
 * waits for the disk. <i>J5</i> with keys, no byte of a record is on the disk in plaintext.
 *
 * <p>Format: docs/formats/journal-v1.md
 */
@NullMarked
package io.eyrie.cache.journal;

import org.jspecify.annotations.NullMarked;
