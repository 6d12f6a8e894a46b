/** Tests. */
@NullMarked
package io.eyrie.cli;

import org.jspecify.annotations.NullMarked;
