// SPDX-License-Identifier: Apache-2.0
/** Commands that send SQL to a running coordinator as the user, over Presto's protocol. */
@NullMarked
package io.eyrie.cli.server;

import org.jspecify.annotations.NullMarked;
