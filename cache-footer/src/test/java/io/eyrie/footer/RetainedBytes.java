// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import org.openjdk.jol.info.ClassLayout;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;

/** Adds up the sizes of an object and of the objects that it refers to, except those that live as long as their class. */
public final class RetainedBytes
{
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> toVisit = new ArrayDeque<>();

    private RetainedBytes()
    {}

    public static long of(Object root)
    {
        RetainedBytes walk = new RetainedBytes();
        walk.enqueue(root);
        long bytes = 0;
        for (Object next = walk.toVisit.poll(); next != null; next = walk.toVisit.poll()) {
            bytes += walk.visit(next);
        }
        return bytes;
    }

    private long visit(Object object)
    {
        Class<?> type = object.getClass();
        if (type.isArray()) {
            int length = Array.getLength(object);
            for (int i = 0; i < length && !type.getComponentType().isPrimitive(); i++) {
                enqueue(Array.get(object, i));
            }
            return arrayBytes(type.getComponentType(), length);
        }
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            for (Field field : declaring.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    enqueue(valueOf(field, object));
                }
            }
        }
        return ClassLayout.parseClass(type).instanceSize();
    }

    private void enqueue(Object object)
    {
        if (object != null && !(object instanceof Class) && !(object instanceof Enum) && seen.add(object)) {
            toVisit.add(object);
        }
    }

    private static Object valueOf(Field field, Object object)
    {
        try {
            field.setAccessible(true);
            return field.get(object);
        }
        catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static long arrayBytes(Class<?> component, int length)
    {
        long scale = switch (component.getName()) {
            case "byte", "boolean" -> 1;
            case "short", "char" -> 2;
            case "long", "double" -> Long.BYTES;
            default -> Integer.BYTES;
        };
        return (16 + scale * length + 7) / 8 * 8;
    }
}
