// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.proxy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * Creates proxies of interfaces whose methods differ between releases of Presto. A wrapper would answer unknown methods with their defaults instead of the
 * delegate's result.
 */
public final class Proxies
{
    private Proxies()
    {}

    /** Returns a proxy of an interface. */
    public static <T> T of(Class<T> type, InvocationHandler handler)
    {
        return type.cast(Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Calls a method of the delegate; throws the exception that the method throws. */
    public static Object invoke(Object target, Method method, Object[] arguments)
            throws Throwable
    {
        try {
            return method.invoke(target, arguments);
        }
        catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
