// SPDX-License-Identifier: Apache-2.0
/** Pages and charts for a browser: well-formed XML without scripts. Called by the commands here and in {@code benchmarks}. */
@NullMarked
package io.eyrie.cli.page;

import org.jspecify.annotations.NullMarked;
