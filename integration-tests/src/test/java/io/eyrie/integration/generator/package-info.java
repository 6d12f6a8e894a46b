/** Random tables, random queries over them and random changes of them, through Eyrie and through Presto's own Hive connector. */
@NullMarked
package io.eyrie.integration.generator;

import org.jspecify.annotations.NullMarked;
