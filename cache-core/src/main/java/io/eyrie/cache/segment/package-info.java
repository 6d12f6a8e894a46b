/**
 * Pages in slots of segment files on local disks: the {@link io.eyrie.cache.segment.SegmentPageStore}, the fate of its
 * directories, the index, the space, the granules' frames. Opened by {@link io.eyrie.cache.PageCaches}; knows pages, not
 * readers; stands on {@code device}, {@code journal}, {@code crypt} and {@code policy}. {@link io.eyrie.cache.segment.StoreInspection} looks at a
 * directory from outside, by its files alone.
 *
 * <p>Invariants: <i>S1</i> what a read returns was verified: these bytes were written for this granule of this page into this generation of
 * this segment. <i>S2</i> a granule is found only after it was written whole. <i>S3</i> slots of all segments, in whole blocks, never
 * exceed the directory's capacity; the journal comes on top. <i>S4</i> only one process works on a directory at a time. <i>S5</i> the failure of one
 * directory touches no other. <i>S6</i> no reader waits for a lock. <i>S7</i> what was invalidated is not found, and what was loaded before is
 * not published. <i>S8</i> an inspection changes nothing.
 *
 * <p>Format: docs/formats/segment-v2.md. Choices: docs/decisions/0008-segment-store.md
 */
@NullMarked
package io.eyrie.cache.segment;

import org.jspecify.annotations.NullMarked;
