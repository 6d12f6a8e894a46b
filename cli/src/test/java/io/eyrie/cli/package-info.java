// SPDX-License-Identifier: Apache-2.0
/** Tests. */
@NullMarked
package io.eyrie.cli;

import org.jspecify.annotations.NullMarked;
