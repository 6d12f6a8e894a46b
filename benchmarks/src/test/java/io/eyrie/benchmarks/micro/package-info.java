/** Tests that the benchmarks of the page cache run and measure what they say, with tiny sizes. Nothing here looks at a time. */
@NullMarked
package io.eyrie.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
