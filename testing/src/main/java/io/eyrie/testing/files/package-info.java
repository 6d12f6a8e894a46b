/** Directories that the harness makes and takes away. Called by the harness and by tests. */
@NullMarked
package io.eyrie.testing.files;

import org.jspecify.annotations.NullMarked;
