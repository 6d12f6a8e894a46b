// SPDX-License-Identifier: Apache-2.0
/**
 * Computes the heap memory that a catalog's caches may take: each layer's limit, and its share of {@code cache.max-memory}. The calculation is the same in the
 * plugin and in the eyrie command; the layers enforce their shares.
 */
@NullMarked
package io.eyrie.presto.memory;

import org.jspecify.annotations.NullMarked;
