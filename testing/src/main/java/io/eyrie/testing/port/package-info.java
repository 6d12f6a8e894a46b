// SPDX-License-Identifier: Apache-2.0
/** Ports for servers that must know their port before they open it. */
@NullMarked
package io.eyrie.testing.port;

import org.jspecify.annotations.NullMarked;
