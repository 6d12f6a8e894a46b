// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

/** The kinds of joins that can run on the rows of one split: the rows of the probe side determine those of the result. */
public enum JoinKind
{
    INNER,
    /** Returns probe rows without a match once, with NULL for the build side. */
    LEFT,
    /** Adds a column: whether the build side contains the probe row's key, or NULL if that is unknown. */
    SEMI,
}
