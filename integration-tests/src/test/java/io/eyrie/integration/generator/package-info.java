// SPDX-License-Identifier: Apache-2.0
/** Runs random queries and random changes on random tables, through Eyrie and through Presto's own Hive connector. */
@NullMarked
package io.eyrie.integration.generator;

import org.jspecify.annotations.NullMarked;
