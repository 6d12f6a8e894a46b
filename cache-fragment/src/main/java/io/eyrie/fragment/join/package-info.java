// SPDX-License-Identifier: Apache-2.0
/**
 * Trees of joins over one large scan and small ones, read from plan nodes. Called where plans are made and where they run.
 *
 * <p>Invariants: <i>J1</i> the rows of a {@link io.eyrie.fragment.join.JoinTree} are those of the nodes that it was read from; those of each split of its
 * first input can be computed by themselves, and together they are all. <i>J2</i> a tree is refused if two runs could produce different rows.
 */
@NullMarked
package io.eyrie.fragment.join;

import org.jspecify.annotations.NullMarked;
