// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
