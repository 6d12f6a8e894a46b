// SPDX-License-Identifier: Apache-2.0
/** Files that other writers than Presto made, read by Eyrie and by Presto's own Hive connector. */
@NullMarked
package io.eyrie.integration.foreign;

import org.jspecify.annotations.NullMarked;
