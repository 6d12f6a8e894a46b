/** The {@code eyrie} command. Its subcommands are in packages of what they look at; each reads and changes nothing but the files that it is told to write. */
@NullMarked
package io.eyrie.cli;

import org.jspecify.annotations.NullMarked;
