// SPDX-License-Identifier: Apache-2.0
/** Commands that read cache directories, whether or not an owner is running. */
@NullMarked
package io.eyrie.cli.store;

import org.jspecify.annotations.NullMarked;
