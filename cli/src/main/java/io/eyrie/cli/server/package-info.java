// SPDX-License-Identifier: Apache-2.0
/** Commands that ask a running coordinator, with the user's own rights, over Presto's protocol. */
@NullMarked
package io.eyrie.cli.server;

import org.jspecify.annotations.NullMarked;
