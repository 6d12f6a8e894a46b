// SPDX-License-Identifier: Apache-2.0
/** Implements Presto's interface for Parquet footers over {@link io.eyrie.footer.FooterCache}. */
@NullMarked
package io.eyrie.footer.parquet;

import org.jspecify.annotations.NullMarked;
