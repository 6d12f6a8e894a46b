// SPDX-License-Identifier: Apache-2.0
/**
 * Alluxio's client cache behind Eyrie's page cache interface. Users select it with {@code cache.type=ALLUXIO_CLIENT}; benchmarks compare against it.
 * Used by the plugin and by benchmarks.
 *
 * <p>Invariant: the identifier under which Alluxio stores a file contains its version.
 */
@NullMarked
package io.eyrie.alluxio;

import org.jspecify.annotations.NullMarked;
