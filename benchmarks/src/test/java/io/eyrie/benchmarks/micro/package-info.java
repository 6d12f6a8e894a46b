// SPDX-License-Identifier: Apache-2.0
/** Tests that the benchmarks of the page cache run and measure the right things, with tiny sizes. No test checks a time. */
@NullMarked
package io.eyrie.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
