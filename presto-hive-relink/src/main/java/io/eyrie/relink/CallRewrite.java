package io.eyrie.relink;

import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A change to each call of one method. Applied after relocation, so the names are those of the relinked jar, except for
 * types that are not relocated.
 */
interface CallRewrite
{
    /** The method whose calls are rewritten. */
    MethodReference target();

    /** How many calls the release is known to have; another number fails the build. */
    int expectedSites();

    /**
     * Rewrites one call in place.
     *
     * @throws RelinkException if the code around the call is not what this rewrite was written for
     */
    void rewrite(MethodNode caller, MethodInsnNode call);
}
