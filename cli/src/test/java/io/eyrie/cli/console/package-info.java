// SPDX-License-Identifier: Apache-2.0
/** Tests. */
@NullMarked
package io.eyrie.cli.console;

import org.jspecify.annotations.NullMarked;
