/** Tests. */
@NullMarked
package io.eyrie.benchmarks.bench;

import org.jspecify.annotations.NullMarked;
