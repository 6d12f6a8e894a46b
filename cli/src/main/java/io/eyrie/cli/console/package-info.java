// SPDX-License-Identifier: Apache-2.0
/** The output of commands for people: progress lines, text tables, messages of failures. Called by the commands here and in {@code benchmarks}. */
@NullMarked
package io.eyrie.cli.console;

import org.jspecify.annotations.NullMarked;
