// SPDX-License-Identifier: Apache-2.0
/** Tests. */
@NullMarked
package io.eyrie.benchmarks.bench;

import org.jspecify.annotations.NullMarked;
