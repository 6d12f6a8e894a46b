// SPDX-License-Identifier: Apache-2.0
/** Tests of {@code io.eyrie.fragment.engine} on the engine's own functions. */
@NullMarked
package io.eyrie.fragment.engine;

import org.jspecify.annotations.NullMarked;
