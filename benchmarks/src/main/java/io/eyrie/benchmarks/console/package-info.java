/** What a person sees of a command that runs for minutes: progress lines and tables of text. Called by the commands. */
@NullMarked
package io.eyrie.benchmarks.console;

import org.jspecify.annotations.NullMarked;
