// SPDX-License-Identifier: Apache-2.0
/** Runs Presto's own test suites through Eyrie's catalog, and compares it with Presto's own Hive connector. */
@NullMarked
package io.eyrie.integration.suites;

import org.jspecify.annotations.NullMarked;
