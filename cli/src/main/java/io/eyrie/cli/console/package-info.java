/** What a person sees of a command: progress lines, tables of text, failures in words. Called by the commands here and in {@code benchmarks}. */
@NullMarked
package io.eyrie.cli.console;

import org.jspecify.annotations.NullMarked;
