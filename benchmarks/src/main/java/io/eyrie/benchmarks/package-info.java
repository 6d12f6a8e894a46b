/**
 * The commands of {@code bin/demo} and {@code bin/bench}; not shipped. Here is what the commands share. Uses
 * {@code testing}, is used by nobody.
 */
@NullMarked
package io.eyrie.benchmarks;

import org.jspecify.annotations.NullMarked;
