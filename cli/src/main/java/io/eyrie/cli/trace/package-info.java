// SPDX-License-Identifier: Apache-2.0
/** Commands that read access traces. */
@NullMarked
package io.eyrie.cli.trace;

import org.jspecify.annotations.NullMarked;
