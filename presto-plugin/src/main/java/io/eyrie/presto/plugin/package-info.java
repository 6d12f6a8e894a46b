/**
 * Composes Presto's Hive connector with Eyrie's layers and hands it to the engine. The engine alone calls in here;
 * {@link io.eyrie.presto.plugin.CacheModule} is the one place where Eyrie's bindings take the place of Presto's.
 */
@NullMarked
package io.eyrie.presto.plugin;

import org.jspecify.annotations.NullMarked;
