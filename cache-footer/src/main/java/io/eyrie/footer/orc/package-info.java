// SPDX-License-Identifier: Apache-2.0
/**
 * Implements the interfaces through which Presto's ORC and DWRF readers obtain metadata before the data, over {@link io.eyrie.footer.FooterCache}.
 * Stripe footers and streams, which these interfaces require as bytes, are cached as bytes, the rest as objects.
 */
@NullMarked
package io.eyrie.footer.orc;

import org.jspecify.annotations.NullMarked;
