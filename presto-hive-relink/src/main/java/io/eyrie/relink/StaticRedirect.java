// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Redirects the calls of a method to a static method of the same name, which takes the instance, if any, as its first argument. */
record StaticRedirect(MethodReference target, String staticOwner, int expectedSites) implements CallRewrite
{
    @Override
    public void rewrite(MethodNode caller, MethodInsnNode call)
    {
        String descriptor = switch (call.getOpcode()) {
            case Opcodes.INVOKESTATIC -> target.descriptor();
            case Opcodes.INVOKEVIRTUAL, Opcodes.INVOKEINTERFACE -> "(L" + target.owner() + ";" + target.descriptor().substring(1);
            default -> throw new RelinkException(caller.name + " calls " + target + " by opcode " + call.getOpcode()
                    + ", expected a virtual or a static call");
        };
        caller.instructions.set(call, new MethodInsnNode(Opcodes.INVOKESTATIC, staticOwner, target.name(), descriptor, false));
    }
}
