/**
 * Binds {@code io.eyrie.footer} into the connector over Presto's own caches of footers: configuration, session properties, MBean, figures of a query.
 */
@NullMarked
package io.eyrie.presto.footer;

import org.jspecify.annotations.NullMarked;
