// SPDX-License-Identifier: Apache-2.0
/** The systems that the experiments compare, in one cluster on one store. */
@NullMarked
package io.eyrie.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
