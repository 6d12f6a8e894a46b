// SPDX-License-Identifier: Apache-2.0
/** Directories that the harness creates and deletes. The harness and tests use it. */
@NullMarked
package io.eyrie.testing.files;

import org.jspecify.annotations.NullMarked;
