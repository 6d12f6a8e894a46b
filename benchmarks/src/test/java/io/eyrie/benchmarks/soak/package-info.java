@NullMarked
package io.eyrie.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
