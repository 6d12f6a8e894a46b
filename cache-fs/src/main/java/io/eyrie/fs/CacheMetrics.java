// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.cache.metric.MetricsMBean;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageCacheStats;
import org.jspecify.annotations.Nullable;

import javax.management.JMException;
import javax.management.ObjectName;

import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The counters of a page cache as the MBean {@code io.eyrie:type=PageCache,name="<directories>"}, with an attribute for each metric of
 * {@link PageCacheStats}.
 */
final class CacheMetrics
{
    private @Nullable ObjectName name;

    /**
     * Registers the MBean. If that fails, for example because another class loader has registered the name, the cache has no MBean and a log line
     * gives the reason.
     */
    void register(List<Path> directories, PageCache source)
    {
        MetricsMBean metrics = new MetricsMBean(UnaryOperator.identity()).add(PageCacheStats.class, source::stats);
        String quoted = ObjectName.quote(directories.stream().map(Path::toString).collect(Collectors.joining(",")));
        try {
            name = ManagementFactory.getPlatformMBeanServer().registerMBean(metrics, new ObjectName("io.eyrie:type=PageCache,name=" + quoted))
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
}
