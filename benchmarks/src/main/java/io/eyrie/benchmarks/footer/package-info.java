/** What the caches of footers save of opening a file and reading one column of it, beside Presto's own caches and none. Called by {@code bin/bench}. */
@NullMarked
package io.eyrie.benchmarks.footer;

import org.jspecify.annotations.NullMarked;
