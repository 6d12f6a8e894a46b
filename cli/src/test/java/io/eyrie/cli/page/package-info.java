// SPDX-License-Identifier: Apache-2.0
/** Tests. */
@NullMarked
package io.eyrie.cli.page;

import org.jspecify.annotations.NullMarked;
