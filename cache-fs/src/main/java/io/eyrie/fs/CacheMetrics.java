// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageCacheStats;
import org.jspecify.annotations.Nullable;

import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ObjectName;

import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The counters of a page cache as the MBean {@code io.eyrie.fs:type=PageCache,name="<directories>"}, with an attribute for each component of
 * {@link PageCacheStats}.
 */
final class CacheMetrics
        implements DynamicMBean
{
    private @Nullable PageCache cache;
    private @Nullable ObjectName name;

    /**
     * Registers the MBean. If that fails, for example because another class loader has registered the name, the cache has no MBean and a log line
     * gives the reason.
     */
    void register(List<Path> directories, PageCache source)
    {
        cache = source;
        String quoted = ObjectName.quote(directories.stream().map(Path::toString).collect(Collectors.joining(",")));
        try {
            name = ManagementFactory.getPlatformMBeanServer().registerMBean(this, new ObjectName("io.eyrie.fs:type=PageCache,name=" + quoted))
                    .getObjectName();
        }
        catch (JMException e) {
            log("The page cache in " + directories + " has no MBean: it could not be registered", e);
        }
    }

    void close()
    {
        if (name != null) {
            try {
                ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
            }
            catch (JMException e) {
                log("The MBean of the page cache could not be unregistered", e);
            }
        }
    }

    private static void log(String message, JMException cause)
    {
        System.getLogger(CacheMetrics.class.getName()).log(Level.WARNING, message, cause);
    }

    @Override
    public Object getAttribute(String attribute)
            throws AttributeNotFoundException
    {
        PageCache source = cache;
        for (RecordComponent component : PageCacheStats.class.getRecordComponents()) {
            if (source != null && component.getName().equals(attribute)) {
                try {
                    return component.getAccessor().invoke(source.stats());
                }
                catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        throw new AttributeNotFoundException(attribute);
    }

    @Override
    public AttributeList getAttributes(String[] attributes)
    {
        AttributeList values = new AttributeList();
        for (String attribute : attributes) {
            try {
                values.add(new Attribute(attribute, getAttribute(attribute)));
            }
            catch (AttributeNotFoundException e) {
                // the contract: unknown attributes are left out
            }
        }
        return values;
    }

    @Override
    public MBeanInfo getMBeanInfo()
    {
        MBeanAttributeInfo[] attributes = Stream.of(PageCacheStats.class.getRecordComponents())
                .map(component -> new MBeanAttributeInfo(component.getName(), component.getType().getName(), component.getName(), true, false, false))
                .toArray(MBeanAttributeInfo[]::new);
        return new MBeanInfo(CacheMetrics.class.getName(), "Counters of Eyrie's page cache", attributes, null, null, null);
    }

    @Override
    public void setAttribute(Attribute attribute)
            throws AttributeNotFoundException
    {
        throw new AttributeNotFoundException("read-only: " + attribute.getName());
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes)
    {
        return new AttributeList();
    }

    @Override
    public Object invoke(String action, Object[] parameters, String[] signature)
    {
        throw new UnsupportedOperationException(action);
    }
}
