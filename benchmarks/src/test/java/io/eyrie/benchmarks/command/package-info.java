// SPDX-License-Identifier: Apache-2.0
/** Tests. */
@NullMarked
package io.eyrie.benchmarks.command;

import org.jspecify.annotations.NullMarked;
