// SPDX-License-Identifier: Apache-2.0
/**
 * Composes Presto's Hive connector with Eyrie's layers and passes it to the engine. Only the engine calls this package; only
 * {@link io.eyrie.presto.plugin.CacheModule} replaces Presto's bindings with Eyrie's.
 */
@NullMarked
package io.eyrie.presto.plugin;

import org.jspecify.annotations.NullMarked;
