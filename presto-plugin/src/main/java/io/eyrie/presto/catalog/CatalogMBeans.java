// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.catalog;

import com.google.inject.Inject;
import io.eyrie.cache.metric.MetricsMBean;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.util.Set;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/**
 * Registers the metrics of a catalog as MBeans, {@code io.eyrie:type=<type>,name=<catalog>}. These names are a public interface: the module's README
 * lists them. Thread-safe.
 */
public final class CatalogMBeans
{
    private static final Pattern QUOTED = Pattern.compile("[,=:\"*?\n]");

    private final MBeanServer server;
    private final String catalog;

    /** Registers the MBeans of one layer when the catalog starts. Bound as a set. */
    @FunctionalInterface
    public interface Registration
    {
        void register(CatalogMBeans mbeans);
    }

    @Inject
    public CatalogMBeans(MBeanServer server, CatalogName catalog, Set<Registration> registrations)
    {
        this.server = requireNonNull(server, "server is null");
        this.catalog = QUOTED.matcher(catalog.name()).find() ? ObjectName.quote(catalog.name()) : catalog.name();
        registrations.forEach(registration -> registration.register(this));
    }

    /** Returns an MBean without metrics, whose attributes are named as Presto names those of its own MBeans. */
    public static MetricsMBean metrics()
    {
        return new MetricsMBean(MetricsMBean::capitalize);
    }

    /** Registers an MBean of this catalog. */
    public void register(String type, MetricsMBean metrics)
    {
        register(metrics, nameOf(type));
    }

    /** Registers the MBean of one of several objects of a type. */
    public void register(String type, String key, String value, MetricsMBean metrics)
    {
        register(metrics, nameOf(type, key, value));
    }

    private void register(MetricsMBean metrics, String name)
    {
        try {
            server.registerMBean(metrics, new ObjectName(name));
        }
        catch (JMException e) {
            throw new IllegalStateException("the MBean " + name + " could not be registered", e);
        }
    }

    /** Removes the MBean of one of several objects of a type. */
    public void remove(String type, String key, String value)
    {
        String name = nameOf(type, key, value);
        try {
            server.unregisterMBean(new ObjectName(name));
        }
        catch (JMException e) {
            throw new IllegalStateException("the MBean " + name + " could not be removed", e);
        }
    }

    private String nameOf(String type, String key, String value)
    {
        return nameOf(type) + "," + key + "=" + ObjectName.quote(value);
    }

    private String nameOf(String type)
    {
        return "io.eyrie:type=" + type + ",name=" + catalog;
    }
}
