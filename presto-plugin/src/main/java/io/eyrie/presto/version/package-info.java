// SPDX-License-Identifier: Apache-2.0
/**
 * Identifies the version of a file that a split refers to: S3's entity tags, from the listing on the coordinator through the split to the conditional GET on
 * the worker. This package does not know pages; {@code filesystem} builds its keys from the versions.
 */
@NullMarked
package io.eyrie.presto.version;

import org.jspecify.annotations.NullMarked;
