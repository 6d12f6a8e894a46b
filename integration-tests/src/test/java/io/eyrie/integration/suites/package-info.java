/** Presto's own test suites through Eyrie's catalog, with Presto's own Hive connector beside it. */
@NullMarked
package io.eyrie.integration.suites;

import org.jspecify.annotations.NullMarked;
