package io.eyrie.presto.proxy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Objects of an interface whose methods are not all known: releases of Presto have others, with defaults that must not answer for the object behind. */
public final class Proxies
{
    private Proxies()
    {}

    /** An object of an interface. */
    public static <T> T of(Class<T> type, InvocationHandler handler)
    {
        return type.cast(Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Calls a method of the object behind; throws what it throws. */
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
