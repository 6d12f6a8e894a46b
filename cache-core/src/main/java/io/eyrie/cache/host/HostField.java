// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.host;

import java.lang.reflect.Field;

/** A private instance field of a class of the host. */
public final class HostField<O, T>
{
    private final Class<T> type;
    private final Field field;

    private HostField(Class<T> type, Field field)
    {
        this.type = type;
        this.field = field;
    }

    /**
     * Finds a field.
     *
     * @throws UnsupportedHostException if the class has no accessible field of this name and type
     */
    public static <O, T> HostField<O, T> of(Class<O> owner, String name, Class<T> type)
    {
        try {
            Field field = owner.getDeclaredField(name);
            if (field.getType() != type) {
                throw new UnsupportedHostException(owner.getName() + "." + name + " is a " + field.getType().getName() + ", not a " + type.getName());
            }
            field.setAccessible(true);
            return new HostField<>(type, field);
        }
        catch (NoSuchFieldException e) {
            throw new UnsupportedHostException(owner.getName() + " has no field " + name + " of type " + type.getName(), e);
        }
    }

    /** Returns the value of an object's field. */
    public T get(O object)
    {
        try {
            return type.cast(field.get(object));
        }
        catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sets the field of an object, even if it is final. */
    public void set(O object, T value)
    {
        try {
            field.set(object, value);
        }
        catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
