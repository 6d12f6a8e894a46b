// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.proxy;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/** Creates fakes of Presto's large interfaces. */
public final class Proxies
{
    private Proxies()
    {}

    /** Returns a proxy of an interface. */
    public static <T> T of(Class<T> type, InvocationHandler handler)
    {
        return type.cast(Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
