/** Tests. */
@NullMarked
package io.eyrie.benchmarks.report;

import org.jspecify.annotations.NullMarked;
