/** Tests. */
@NullMarked
package io.eyrie.benchmarks.replay;

import org.jspecify.annotations.NullMarked;
