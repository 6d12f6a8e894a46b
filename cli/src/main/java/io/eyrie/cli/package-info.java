// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code eyrie} command. Its subcommands are in packages named after the things that they examine. Each only reads, except for the output files that
 * options name.
 */
@NullMarked
package io.eyrie.cli;

import org.jspecify.annotations.NullMarked;
