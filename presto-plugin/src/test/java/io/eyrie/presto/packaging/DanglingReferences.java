// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.packaging;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;

import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Collects references that the plugin's class loader cannot resolve, each with the classes that refer to it. It ignores annotations, which may be
 * absent.
 */
final class DanglingReferences
{
    private final PluginClasses classes;
    private final SortedMap<String, SortedSet<String>> dangling = new TreeMap<>();
    private int checkedClasses;
    private String referrer = "";

    DanglingReferences(PluginClasses classes)
    {
        this.classes = classes;
    }

    /** Returns the missing classes, methods and fields, each with the internal names of the classes that refer to it. */
    SortedMap<String, SortedSet<String>> found()
    {
        return dangling;
    }

    int checkedClasses()
    {
        return checkedClasses;
    }

    void check(byte[] classFile)
    {
        ClassNode node = new ClassNode();
        new ClassReader(classFile).accept(node, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        referrer = node.name;
        checkedClasses++;
        if (node.superName != null) {
            type(node.superName);
        }
        node.interfaces.forEach(this::type);
        node.fields.forEach(field -> type(Type.getType(field.desc)));
        node.methods.forEach(this::method);
    }

    private void method(MethodNode method)
    {
        descriptor(method.desc);
        method.exceptions.forEach(this::type);
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            if (block.type != null) {
                type(block.type);
            }
        }
        for (AbstractInsnNode instruction : method.instructions) {
            instruction(instruction);
        }
    }

    private void instruction(AbstractInsnNode instruction)
    {
        if (instruction instanceof MethodInsnNode call) {
            call(call.owner, call.name, call.desc);
        }
        else if (instruction instanceof FieldInsnNode field) {
            field(field.owner, field.name, field.desc);
        }
        else if (instruction instanceof TypeInsnNode typed) {
            type(Type.getObjectType(typed.desc));
        }
        else if (instruction instanceof MultiANewArrayInsnNode array) {
            type(Type.getType(array.desc));
        }
        else if (instruction instanceof LdcInsnNode constant) {
            constant(constant.cst);
        }
        else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
            descriptor(dynamic.desc);
            constant(dynamic.bsm);
            for (Object argument : dynamic.bsmArgs) {
                constant(argument);
            }
        }
    }

    private void constant(Object constant)
    {
        if (constant instanceof Type named && named.getSort() == Type.METHOD) {
            descriptor(named.getDescriptor());
        }
        else if (constant instanceof Type named) {
            type(named);
        }
        else if (constant instanceof Handle handle && handle.getDesc().startsWith("(")) {
            call(handle.getOwner(), handle.getName(), handle.getDesc());
        }
        else if (constant instanceof Handle handle) {
            field(handle.getOwner(), handle.getName(), handle.getDesc());
        }
    }

    private void call(String owner, String name, String descriptor)
    {
        descriptor(descriptor);
        if (type(Type.getObjectType(owner)) && !classes.hasMethod(owner, name, descriptor)) {
            report(owner + "." + name + descriptor);
        }
    }

    private void field(String owner, String name, String descriptor)
    {
        if (type(Type.getObjectType(owner)) && !classes.hasField(owner, name, descriptor)) {
            report(owner + "." + name + ":" + descriptor);
        }
    }

    private void descriptor(String descriptor)
    {
        type(Type.getReturnType(descriptor));
        for (Type argument : Type.getArgumentTypes(descriptor)) {
            type(argument);
        }
    }

    private boolean type(Type type)
    {
        Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
        return element.getSort() != Type.OBJECT || type(element.getInternalName());
    }

    private boolean type(String internalName)
    {
        boolean present = classes.hasClass(internalName);
        if (!present) {
            report(internalName);
        }
        return present;
    }

    private void report(String missing)
    {
        dangling.computeIfAbsent(missing, ignored -> new TreeSet<>()).add(referrer);
    }
}
