// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink;

import org.objectweb.asm.tree.MethodInsnNode;

/** A method's identity in bytecode: internal name of the owner, name, descriptor. */
record MethodReference(String owner, String name, String descriptor)
{
    boolean isCalledBy(MethodInsnNode instruction)
    {
        return instruction.owner.equals(owner) && instruction.name.equals(name) && instruction.desc.equals(descriptor);
    }

    @Override
    public String toString()
    {
        return owner + "." + name + descriptor;
    }
}
