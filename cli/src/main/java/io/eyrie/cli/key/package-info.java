// SPDX-License-Identifier: Apache-2.0
/** Loads the keys of encrypted files from the files that an option names. Used by the commands that read cache directories and traces. */
@NullMarked
package io.eyrie.cli.key;

import org.jspecify.annotations.NullMarked;
