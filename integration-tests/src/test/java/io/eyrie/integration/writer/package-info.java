// SPDX-License-Identifier: Apache-2.0
/** A writer that Presto does not know, while coordinators are killed and restarted. */
@NullMarked
package io.eyrie.integration.writer;

import org.jspecify.annotations.NullMarked;
