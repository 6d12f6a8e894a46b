/**
 * Presto's seams for what its ORC and DWRF readers read before the data, over {@link io.eyrie.footer.FooterCache}. What the seams want as bytes (stripe footers,
 * streams) is kept as bytes, the rest as objects.
 */
@NullMarked
package io.eyrie.footer.orc;

import org.jspecify.annotations.NullMarked;
