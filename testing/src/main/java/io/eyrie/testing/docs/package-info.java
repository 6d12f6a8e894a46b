// SPDX-License-Identifier: Apache-2.0
/** The documentation as a test sees it: its blocks of commands, and the tables that its examples name. */
@NullMarked
package io.eyrie.testing.docs;

import org.jspecify.annotations.NullMarked;
