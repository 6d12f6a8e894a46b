// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.presto.spi.connector.Connector;
import com.facebook.presto.spi.connector.ConnectorMetadata;
import com.facebook.presto.spi.connector.classloader.ClassLoaderSafeConnectorMetadata;
import io.eyrie.cache.host.UnsupportedHostException;
import io.eyrie.presto.proxy.Proxies;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SpiCheckTest
{
    /** The interface of an engine. */
    public interface Spi
    {
        void delete(String table);

        default int rows()
        {
            return 0;
        }
    }

    /** Forwards only a part of {@link Spi}. */
    public static class Forwarder
            implements Spi
    {
        @Override
        public void delete(String table)
        {}
    }

    /** Implements all of it. */
    public static class Complete
            extends Forwarder
    {
        @Override
        public int rows()
        {
            return 1;
        }
    }

    /** Guards a method that the engine no longer calls. */
    public static final class StaleGuard
            extends Complete
    {
        public void delete(String table, String layout)
        {}
    }

    @Test
    void eyriesClassesFitTheSpi()
    {
        assertThatCode(SpiCheck::check).doesNotThrowAnyException();
    }

    @Test
    void overriddenMethodThatTheSpiLacks()
    {
        SpiCheck.check(Spi.class, Complete.class, Complete.class, Complete.class);
        assertThatThrownBy(() -> SpiCheck.check(Spi.class, StaleGuard.class, Complete.class, Complete.class))
                .isInstanceOf(UnsupportedHostException.class)
                .hasMessageContainingAll(Spi.class.getName(), "lacks", "StaleGuard.delete(java.lang.String,java.lang.String)");
    }

    /* A method that neither forwards has the same default in both. */
    @Test
    void methodOfTheConnectorThatIsNotForwarded()
    {
        SpiCheck.check(Spi.class, Forwarder.class, Forwarder.class, Forwarder.class);
        assertThatThrownBy(() -> SpiCheck.check(Spi.class, Forwarder.class, Forwarder.class, Complete.class))
                .isInstanceOf(UnsupportedHostException.class)
                .hasMessageContainingAll(Forwarder.class.getName(), "does not forward", "rows()");
    }

    @Test
    void everyMethodOfAConnectorIsForwarded()
            throws ReflectiveOperationException
    {
        Calls<Connector> calls = new Calls<>(Connector.class);
        calls.assertForwardedBy(new ForwardingConnector(calls.target) {});
    }

    @Test
    void everyMethodOfMetadataIsForwarded()
            throws ReflectiveOperationException
    {
        Calls<ConnectorMetadata> calls = new Calls<>(ConnectorMetadata.class);
        calls.assertForwardedBy(new ClassLoaderSafeConnectorMetadata(calls.target, SpiCheckTest.class.getClassLoader()));
    }

    /** An object of an interface that records its last call. */
    private static final class Calls<T>
    {
        private final Class<T> type;
        private final T target;
        private @Nullable Method called;
        private @Nullable Object @Nullable [] given;

        private Calls(Class<T> type)
        {
            this.type = type;
            target = Proxies.of(type, (proxy, method, arguments) -> {
                called = method;
                given = arguments;
                return method.getReturnType() == boolean.class ? true : null;
            });
        }

        private void assertForwardedBy(T forwarder)
                throws ReflectiveOperationException
        {
            for (Method method : type.getMethods()) {
                Object[] arguments = Arrays.stream(method.getParameterTypes()).map(Calls::argument).toArray();
                called = null;
                given = null;
                try {
                    Object answer = method.invoke(forwarder, arguments);
                    assertThat(answer).as(method.toString()).isEqualTo(method.getReturnType() == boolean.class ? true : null);
                }
                catch (InvocationTargetException e) {
                    throw new AssertionError(method + " fails", e.getCause());
                }
                assertThat(called).isEqualTo(method);
                assertThat(Objects.requireNonNullElse(given, new Object[0])).as(method.toString()).isEqualTo(arguments);
            }
        }

        private static @Nullable Object argument(Class<?> parameter)
        {
            if (parameter == int.class) {
                return 7;
            }
            if (parameter == boolean.class) {
                return true;
            }
            return parameter.isInterface() ? Proxies.of(parameter, (proxy, method, arguments) -> switch (method.getName()) {
                case "equals" -> proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> parameter.getName();
            }) : null;
        }
    }
}
