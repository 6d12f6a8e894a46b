// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.cli.server;

import org.jspecify.annotations.NullMarked;
