// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Adds an argument in the middle of a constructor call that copies an object of the same class: after the call of {@code precedingGetter} on a local variable,
 * inserts a call of {@code insertedGetter} on the same variable. Compiling the connector's source against the newer constructor would give the same result.
 */
record InsertedArgument(MethodReference target, MethodReference precedingGetter, MethodReference insertedGetter, String newDescriptor,
        int expectedSites)
        implements CallRewrite
{
    @Override
    public void rewrite(MethodNode caller, MethodInsnNode call)
    {
        MethodInsnNode preceding = precedingGetterOf(caller, call);
        if (!(instructionBefore(preceding) instanceof VarInsnNode variable) || variable.getOpcode() != Opcodes.ALOAD) {
            throw new RelinkException(caller.name + " does not call " + precedingGetter + " on a local variable");
        }
        InsnList inserted = new InsnList();
        inserted.add(new VarInsnNode(Opcodes.ALOAD, variable.var));
        inserted.add(new MethodInsnNode(Opcodes.INVOKEVIRTUAL, insertedGetter.owner(), insertedGetter.name(), insertedGetter.descriptor(), false));
        caller.instructions.insert(preceding, inserted);
        call.desc = newDescriptor;
    }

    private static @Nullable AbstractInsnNode instructionBefore(AbstractInsnNode node)
    {
        AbstractInsnNode previous = node.getPrevious();
        while (previous != null && previous.getOpcode() < 0) { // labels and line numbers
            previous = previous.getPrevious();
        }
        return previous;
    }

    private MethodInsnNode precedingGetterOf(MethodNode caller, MethodInsnNode call)
    {
        for (AbstractInsnNode node = call.getPrevious(); node != null && node.getOpcode() != Opcodes.NEW; node = node.getPrevious()) {
            if (node instanceof MethodInsnNode getter && precedingGetter.isCalledBy(getter)) {
                return getter;
            }
        }
        throw new RelinkException(caller.name + " calls " + target + " without a preceding call of " + precedingGetter);
    }
}
