// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.presto.hive.HiveConnector;
import com.facebook.presto.hive.HiveMetadata;
import com.facebook.presto.spi.connector.Connector;
import com.facebook.presto.spi.connector.ConnectorMetadata;
import com.facebook.presto.spi.connector.classloader.ClassLoaderSafeConnectorMetadata;
import io.eyrie.cache.host.UnsupportedHostException;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/**
 * Checks that Eyrie's classes fit the SPI of the running engine. Without it, a method that another release renamed would no longer be overridden, and nothing
 * would show it.
 */
final class SpiCheck
{
    private SpiCheck()
    {}

    /** Checks all classes that forward an interface of the SPI. */
    static void check()
    {
        check(Connector.class, EyrieConnector.class, ForwardingConnector.class, HiveConnector.class);
        check(ConnectorMetadata.class, EyrieMetadata.class, ClassLoaderSafeConnectorMetadata.class, HiveMetadata.class);
    }

    /**
     * Checks an interface.
     *
     * @param own overrides methods of {@code forwarder}
     * @param forwarder forwards to {@code delegate}
     * @throws UnsupportedHostException naming a method of {@code own} that the interface lacks, or a method that {@code delegate} implements and
     *         {@code forwarder} does not forward
     */
    static void check(Class<?> spi, Class<?> own, Class<?> forwarder, Class<?> delegate)
    {
        for (Method method : own.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic() && find(spi, method).getReturnType() != method.getReturnType()) {
                throw new UnsupportedHostException(spi.getName() + " has another return type for the method " + method);
            }
        }
        for (Method method : spi.getMethods()) {
            if (implementsIt(delegate, method) && !implementsIt(forwarder, method)) {
                throw new UnsupportedHostException(forwarder.getName() + " does not forward the method " + method);
            }
        }
    }

    private static boolean implementsIt(Class<?> type, Method method)
    {
        return !find(type, method).getDeclaringClass().isInterface();
    }

    private static Method find(Class<?> type, Method method)
    {
        try {
            return type.getMethod(method.getName(), method.getParameterTypes());
        }
        catch (NoSuchMethodException e) {
            throw new UnsupportedHostException(type.getName() + " lacks the method " + method);
        }
    }
}
