/**
 * Alluxio's client cache behind Eyrie's page cache interface: what {@code cache.type=ALLUXIO_CLIENT} selects, and the peer that benchmarks run
 * beside. Used by the plugin and by benchmarks.
 *
 * <p>Invariant: the identifier under which Alluxio keeps a file holds its version.
 */
@NullMarked
package io.eyrie.alluxio;

import org.jspecify.annotations.NullMarked;
