// SPDX-License-Identifier: Apache-2.0
/**
 * Decides what is worth writing to the cache. {@code AdmissionConfig} creates the policies, which know only pages, scopes and byte counts, and do
 * no I/O. {@code page} asks them about misses, never about hits.
 */
@NullMarked
package io.eyrie.cache.admission;

import org.jspecify.annotations.NullMarked;
