/** Tests. */
@NullMarked
package io.eyrie.cli.console;

import org.jspecify.annotations.NullMarked;
