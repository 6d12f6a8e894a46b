/** Tests. */
@NullMarked
package io.eyrie.benchmarks.demo;

import org.jspecify.annotations.NullMarked;
