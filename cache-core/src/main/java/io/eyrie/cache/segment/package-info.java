// SPDX-License-Identifier: Apache-2.0
/**
 * Stores pages in slots of segment files on local disks: the {@link io.eyrie.cache.segment.SegmentPageStore}, the state of its directories, the
 * index, the space, the granules' frames. Opened by {@link io.eyrie.cache.PageCaches}; knows pages, not readers; builds on {@code device},
 * {@code journal}, {@code crypt} and {@code policy}. {@link io.eyrie.cache.segment.StoreState} is the read-only view of a directory for
 * {@code inspection}.
 *
 * <p>Invariants: <i>S1</i> a read returns only verified bytes: they were written for this granule of this page into this generation of this segment.
 * <i>S2</i> a granule is found only after it was written completely. <i>S3</i> slots of all segments, in whole blocks, never exceed the directory's
 * capacity; their headers and the journal take additional space. <i>S4</i> only one process works on a directory at a time. <i>S5</i> the failure of one directory
 * does not affect the others. <i>S6</i> no reader waits for a lock, except to drop a bad page. <i>S7</i> invalidated data is not found, and data
 * loaded before its invalidation is not published.
 *
 * <p>Format: docs/formats/segment-v4.md. Choices: docs/decisions/0008-segment-store.md
 */
@NullMarked
package io.eyrie.cache.segment;

import org.jspecify.annotations.NullMarked;
