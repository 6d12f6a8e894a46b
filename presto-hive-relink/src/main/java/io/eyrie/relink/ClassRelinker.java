// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Relinks classes one by one and counts the calls and references that it finds. Confined to one thread. */
final class ClassRelinker
{
    private final RelinkPlan plan;
    private final Map<MethodReference, Integer> sites = new HashMap<>();
    private final Set<String> relocated = new HashSet<>();

    ClassRelinker(RelinkPlan plan)
    {
        this.plan = plan;
    }

    /** Returns the relinked class; the given bytes if nothing in them needs to change. */
    byte[] relink(byte[] classFile)
    {
        ClassReader reader = new ClassReader(classFile);
        CountingRemapper remapper = new CountingRemapper();
        ClassNode node = new ClassNode();
        reader.accept(new ClassRemapper(node, remapper), 0);
        boolean rewritten = rewriteCalls(node);
        if (!rewritten && !remapper.hit) {
            return classFile;
        }
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        node.accept((ClassVisitor) writer);
        return writer.toByteArray();
    }

    /**
     * Checks that all expectations of the plan were met.
     *
     * @throws RelinkException naming each expectation that was not met
     */
    void verifyComplete()
    {
        StringBuilder missed = new StringBuilder();
        for (CallRewrite rewrite : plan.rewrites()) {
            int found = sites.getOrDefault(rewrite.target(), 0);
            if (found != rewrite.expectedSites()) {
                missed.append("\n  calls of " + rewrite.target() + ": expected " + rewrite.expectedSites() + ", found " + found);
            }
        }
        plan.relocations().keySet().stream().sorted().filter(name -> !relocated.contains(name)).forEach(
                name -> missed.append("\n  no reference to " + name));
        if (!missed.isEmpty()) {
            throw new RelinkException("The jar does not match the release that this plan relinks:" + missed);
        }
    }

    private boolean rewriteCalls(ClassNode node)
    {
        boolean rewritten = false;
        for (MethodNode method : node.methods) {
            for (AbstractInsnNode instruction : method.instructions.toArray()) {
                if (instruction instanceof MethodInsnNode call) {
                    rewritten |= rewriteCall(method, call);
                }
            }
        }
        return rewritten;
    }

    private boolean rewriteCall(MethodNode caller, MethodInsnNode call)
    {
        for (CallRewrite rewrite : plan.rewrites()) {
            if (rewrite.target().isCalledBy(call)) {
                sites.merge(rewrite.target(), 1, Integer::sum);
                rewrite.rewrite(caller, call);
                return true;
            }
        }
        return false;
    }

    private final class CountingRemapper
            extends Remapper
    {
        private boolean hit;

        @Override
        public String map(String internalName)
        {
            String target = plan.relocations().get(internalName);
            if (target == null) {
                return internalName;
            }
            hit = true;
            relocated.add(internalName);
            return target;
        }
    }
}
