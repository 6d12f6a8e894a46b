// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.presto.hive.HiveAnalyzeProperties;
import com.facebook.presto.hive.HiveCommonSessionProperties;
import com.facebook.presto.hive.HiveConnector;
import com.facebook.presto.hive.HiveMetadataFactory;
import com.facebook.presto.hive.HiveSessionProperties;
import com.facebook.presto.hive.HiveTableProperties;
import com.facebook.presto.hive.SchemaProperties;
import com.facebook.presto.hive.security.SystemTableAwareAccessControl;
import com.facebook.presto.spi.SystemTable;
import com.facebook.presto.spi.connector.Connector;
import com.facebook.presto.spi.connector.ConnectorAccessControl;
import com.facebook.presto.spi.connector.ConnectorNodePartitioningProvider;
import com.facebook.presto.spi.connector.ConnectorPageSinkProvider;
import com.facebook.presto.spi.connector.ConnectorPageSourceProvider;
import com.facebook.presto.spi.connector.ConnectorSplitManager;
import com.facebook.presto.spi.connector.classloader.ClassLoaderSafeConnectorPageSinkProvider;
import com.facebook.presto.spi.connector.classloader.ClassLoaderSafeNodePartitioningProvider;
import com.facebook.presto.spi.procedure.Procedure;
import com.facebook.presto.spi.session.PropertyMetadata;
import com.google.common.collect.Sets;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.TypeLiteral;
import io.eyrie.cache.host.UnsupportedHostException;
import io.eyrie.presto.affinity.BucketPlacer;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.console.CacheTables;
import io.eyrie.presto.console.VerdictTables;
import io.eyrie.presto.control.ControlProcedures;
import io.eyrie.presto.footer.FooterSessionProperties;
import io.eyrie.presto.fragment.FragmentSessionProperties;
import io.eyrie.presto.metastore.TransactionObserver;
import io.eyrie.presto.warm.WarmFunction;

import java.lang.reflect.Constructor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Creates a {@link HiveConnector} with its only public constructor, from the injector's objects.
 *
 * <p>Matches the constructor's parameters by type: releases of Presto pass different providers, and some of their types are relocated if presto-hive is
 * relinked, so this class names none of those.
 */
final class ComposedConnector
{
    private static final TypeLiteral<Set<Procedure>> PROCEDURES = new TypeLiteral<>() {};
    private static final TypeLiteral<Set<SystemTable>> SYSTEM_TABLES = new TypeLiteral<>() {};

    private final Injector injector;
    private final ClassLoader classLoader;

    ComposedConnector(Injector injector, ClassLoader classLoader)
    {
        this.injector = requireNonNull(injector, "injector is null");
        this.classLoader = requireNonNull(classLoader, "classLoader is null");
    }

    Connector connector()
    {
        Constructor<?>[] constructors = HiveConnector.class.getConstructors();
        if (constructors.length != 1) {
            throw new UnsupportedHostException("This presto-hive's HiveConnector has " + constructors.length + " public constructors, expected one");
        }
        Deque<List<PropertyMetadata<?>>> properties = propertiesInOrder();
        Object[] arguments = Stream.of(constructors[0].getGenericParameterTypes()).map(type -> argument(TypeLiteral.get(type), properties)).toArray();
        if (!properties.isEmpty()) {
            throw new UnsupportedHostException("This presto-hive's HiveConnector takes " + properties.size()
                    + " fewer lists of properties than expected");
        }
        try {
            return new EyrieConnector(
                    (Connector) constructors[0].newInstance(arguments),
                    injector.getInstance(TransactionObserver.class),
                    injector.getInstance(CacheModes.class),
                    injector.getInstance(WarmFunction.class));
        }
        catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This presto-hive's HiveConnector cannot be created", e);
        }
    }

    private Object argument(TypeLiteral<?> type, Deque<List<PropertyMetadata<?>>> properties)
    {
        if (type.getRawType() == List.class) {
            return properties.removeFirst();
        }
        if (type.equals(SYSTEM_TABLES)) {
            return Sets.union(injector.getInstance(CacheTables.class).all(), injector.getInstance(VerdictTables.class).all()).immutableCopy();
        }
        if (type.equals(PROCEDURES)) {
            return Sets.union(injector.getInstance(Key.get(PROCEDURES)), injector.getInstance(ControlProcedures.class).all()).immutableCopy();
        }
        if (type.getRawType() == ClassLoader.class) {
            return classLoader;
        }
        if (type.getRawType() == Supplier.class) {
            return injector.getInstance(HiveMetadataFactory.class);
        }
        if (type.getRawType() == ConnectorSplitManager.class) {
            return injector.getInstance(SplitChain.class).splitManager();
        }
        if (type.getRawType() == ConnectorPageSourceProvider.class) {
            return injector.getInstance(SplitChain.class).pageSourceProvider();
        }
        return switchingClassLoader(injector.getInstance(Key.get(type)));
    }

    /* The engine calls these on its own threads; the classes that they load must come from the plugin's folder. */
    private Object switchingClassLoader(Object bound)
    {
        if (bound instanceof ConnectorPageSinkProvider pageSinkProvider) {
            return new ClassLoaderSafeConnectorPageSinkProvider(pageSinkProvider, classLoader);
        }
        if (bound instanceof ConnectorNodePartitioningProvider partitioningProvider) {
            return new ClassLoaderSafeNodePartitioningProvider(new BucketPlacer(partitioningProvider), classLoader);
        }
        if (bound instanceof ConnectorAccessControl accessControl) {
            return new SystemTableAwareAccessControl(accessControl);
        }
        return bound;
    }

    /* session, schema, table, analyze: the order of the constructor */
    private Deque<List<PropertyMetadata<?>>> propertiesInOrder()
    {
        List<PropertyMetadata<?>> session = new ArrayList<>(injector.getInstance(HiveSessionProperties.class).getSessionProperties());
        session.addAll(injector.getInstance(HiveCommonSessionProperties.class).getSessionProperties());
        session.addAll(FooterSessionProperties.properties());
        session.addAll(CacheModes.properties());
        session.addAll(injector.getInstance(FragmentSessionProperties.class).getSessionProperties());
        return new ArrayDeque<>(
                List.of(
                        session,
                        SchemaProperties.SCHEMA_PROPERTIES,
                        injector.getInstance(HiveTableProperties.class).getTableProperties(),
                        injector.getInstance(HiveAnalyzeProperties.class).getAnalyzeProperties()));
    }
}
