// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink;

import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Changes each call of one method. Applied after relocation, so the names are those of the relinked jar, except for types that are not relocated. */
interface CallRewrite
{
    /** Returns the method whose calls are rewritten. */
    MethodReference target();

    /** Returns the number of calls in the known release; another number fails the build. */
    int expectedSites();

    /**
     * Rewrites one call in place.
     *
     * @throws RelinkException if the code around the call does not match this rewrite
     */
    void rewrite(MethodNode caller, MethodInsnNode call);
}
