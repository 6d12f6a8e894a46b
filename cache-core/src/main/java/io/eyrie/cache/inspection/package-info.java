// SPDX-License-Identifier: Apache-2.0
/**
 * Examines a cache directory from outside, through its files only, whether or not a process owns it:
 * {@link io.eyrie.cache.inspection.StoreInspection} lists its pages and verifies their bytes. For tools; no read of a cache uses it. Knows the format
 * through {@link io.eyrie.cache.segment.StoreState}.
 *
 * <p>Invariant: <i>S8</i> an inspection changes nothing on the disk and takes no lock.
 */
@NullMarked
package io.eyrie.cache.inspection;

import org.jspecify.annotations.NullMarked;
