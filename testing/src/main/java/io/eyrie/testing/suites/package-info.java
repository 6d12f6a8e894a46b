// SPDX-License-Identifier: Apache-2.0
/** Records the statements of Presto's own test suites, for tests that run them elsewhere. */
@NullMarked
package io.eyrie.testing.suites;

import org.jspecify.annotations.NullMarked;
