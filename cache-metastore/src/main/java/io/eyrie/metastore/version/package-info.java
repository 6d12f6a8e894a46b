// SPDX-License-Identifier: Apache-2.0
/**
 * Versions of tables and partitions in metastores without a notification log. The metastore cache uses them; the plugin creates them. Invariant: equal versions
 * mean equal values.
 */
@NullMarked
package io.eyrie.metastore.version;

import org.jspecify.annotations.NullMarked;
