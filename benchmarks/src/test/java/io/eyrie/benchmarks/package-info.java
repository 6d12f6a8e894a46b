/** Tests. */
@NullMarked
package io.eyrie.benchmarks;

import org.jspecify.annotations.NullMarked;
