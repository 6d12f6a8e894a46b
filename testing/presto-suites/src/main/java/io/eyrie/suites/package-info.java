// SPDX-License-Identifier: Apache-2.0
/**
 * Records the statements of Presto's own test suites. The suites need their own engine on the class path, so the recorder is a separate process: the
 * integration tests start it and run the statements that it recorded.
 */
@NullMarked
package io.eyrie.suites;

import org.jspecify.annotations.NullMarked;
