// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.host;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.Arrays;

/** Finds methods of the host's classes. */
public final class HostMethods
{
    private HostMethods()
    {}

    /**
     * Returns a method that may be private.
     *
     * @throws UnsupportedHostException if the class has no accessible method of this signature
     */
    public static MethodHandle find(Class<?> owner, Class<?> result, String name, Class<?>... parameters)
    {
        try {
            Method method = owner.getDeclaredMethod(name, parameters);
            if (method.getReturnType() != result) {
                throw new UnsupportedHostException(owner.getName() + "." + name + " returns a " + method.getReturnType().getName() + ", not a "
                        + result.getName());
            }
            method.setAccessible(true);
            return MethodHandles.lookup().unreflect(method);
        }
        catch (ReflectiveOperationException e) {
            throw new UnsupportedHostException(owner.getName() + " has no method " + name + Arrays.stream(parameters).map(Class::getName).toList(),
                    e);
        }
    }

    /**
     * Requires that a class of the host exists and has a method of this name, whose parameters do not matter.
     *
     * @throws UnsupportedHostException otherwise
     */
    public static void require(ClassLoader host, String owner, String name)
    {
        try {
            if (Arrays.stream(Class.forName(owner, false, host).getDeclaredMethods()).noneMatch(method -> method.getName().equals(name))) {
                throw new UnsupportedHostException(owner + " has no method " + name);
            }
        }
        catch (ClassNotFoundException e) {
            throw new UnsupportedHostException("There is no class " + owner + " with a method " + name, e);
        }
    }
}
