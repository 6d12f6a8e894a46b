package io.eyrie.relink;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Sends the calls of an instance method to a static one that takes the instance as its first argument. */
record StaticRedirect(MethodReference target, String staticOwner, int expectedSites) implements CallRewrite
{
    @Override
    public void rewrite(MethodNode caller, MethodInsnNode call)
    {
        if (call.getOpcode() != Opcodes.INVOKEVIRTUAL && call.getOpcode() != Opcodes.INVOKEINTERFACE) {
            throw new RelinkException(caller.name + " calls " + target + " by opcode " + call.getOpcode() + ", expected an instance call");
        }
        String descriptor = "(L" + target.owner() + ";" + target.descriptor().substring(1);
        caller.instructions.set(call, new MethodInsnNode(Opcodes.INVOKESTATIC, staticOwner, target.name(), descriptor, false));
    }
}
