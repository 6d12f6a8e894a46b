// SPDX-License-Identifier: Apache-2.0
/** Shows the state and the work of the caches in SQL: tables in the schema {@code cache}, to which every node contributes its rows. */
@NullMarked
package io.eyrie.presto.console;

import org.jspecify.annotations.NullMarked;
