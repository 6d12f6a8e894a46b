// SPDX-License-Identifier: Apache-2.0
/**
 * Keys of fragment results: the canonical form of a leaf, and everything else that affects the leaf's result for a split.
 * {@code docs/fragment-key.md} lists the parts and the reason for each.
 *
 * <p>Invariants: <i>K1</i> two keys are equal only if all their parts are. <i>K2</i> no key is built with a part missing. <i>K3</i> a leaf's form
 * does not depend on variable names, nor on the order of conjuncts, outputs, and arguments of commutative operations.
 */
@NullMarked
package io.eyrie.fragment.key;

import org.jspecify.annotations.NullMarked;
