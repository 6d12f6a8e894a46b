/**
 * Pages in files on local disks: the {@link io.eyrie.cache.disk.DiskPageStore}, its directories, their format and their
 * ownership. Opened by {@link io.eyrie.cache.PageCaches}; knows pages, not readers.
 *
 * <p>Invariants: <i>D1</i> what a read returns was verified against the key and the checksums that the writer made.
 * <i>D2</i> a page file bears its final name only when whole. <i>D3</i> the blocks of all page files, half-written ones
 * included, never exceed the directory's capacity. <i>D4</i> only one process works on a directory at a time.
 * <i>D5</i> the failure of one directory touches no other.
 *
 * <p>Format: docs/formats/page-file-v1.md
 */
@NullMarked
package io.eyrie.cache.disk;

import org.jspecify.annotations.NullMarked;
