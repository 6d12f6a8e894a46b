// SPDX-License-Identifier: Apache-2.0
/** Binds {@code io.eyrie.footer} into the connector, in place of Presto's own footer caches: configuration, session properties, MBean and query statistics. */
@NullMarked
package io.eyrie.presto.footer;

import org.jspecify.annotations.NullMarked;
