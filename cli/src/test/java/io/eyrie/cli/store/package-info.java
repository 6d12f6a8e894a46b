/** Tests. */
@NullMarked
package io.eyrie.cli.store;

import org.jspecify.annotations.NullMarked;
