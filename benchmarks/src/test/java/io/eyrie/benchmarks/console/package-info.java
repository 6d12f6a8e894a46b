/** Tests. */
@NullMarked
package io.eyrie.benchmarks.console;

import org.jspecify.annotations.NullMarked;
