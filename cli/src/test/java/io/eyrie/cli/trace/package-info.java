/** Tests. */
@NullMarked
package io.eyrie.cli.trace;

import org.jspecify.annotations.NullMarked;
