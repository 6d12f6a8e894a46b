/**
 * The memory of the heap that a catalog's caches may take: what each layer's limit asks for, and what it gets of {@code cache.max-memory}. A
 * calculation, the same in the plugin and in the eyrie command; the layers hold themselves to their shares.
 */
@NullMarked
package io.eyrie.presto.memory;

import org.jspecify.annotations.NullMarked;
