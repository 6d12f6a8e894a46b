/** Commands that look into cache directories, beside their owners or without. */
@NullMarked
package io.eyrie.cli.store;

import org.jspecify.annotations.NullMarked;
