/**
 * What a result is kept under: the canonical form of a leaf, and everything else that bears on what the leaf gives for a split. {@code docs/fragment-key.md} lists the
 * parts and why each is there.
 *
 * <p>Invariants: <i>K1</i> two keys are equal only if all their parts are. <i>K2</i> no key is made with a part missing. <i>K3</i> a leaf's form does not
 * depend on the names of variables, nor on the order of conjuncts, outputs and the arguments of what commutes.
 */
@NullMarked
package io.eyrie.fragment.key;

import org.jspecify.annotations.NullMarked;
