// SPDX-License-Identifier: Apache-2.0
/**
 * Metadata of tables in a blob cache on the coordinator's disk: sorted keys with values and the versions under which the values are valid. Knows neither what
 * the values are nor whether a version is current. Invariant: a value is returned as it was written, under its own key, or not at all.
 */
@NullMarked
package io.eyrie.metastore.stored;

import org.jspecify.annotations.NullMarked;
