// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.presto.spi.connector.Connector;
import io.eyrie.affinity.placement.NodeLoad;
import io.eyrie.presto.catalog.CatalogMBeans;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the JMX exporter's rules (docs/operations) against the MBeans of a catalog. {@code MetricsIT} runs them. */
class MetricNamesTest
{
    /** Attributes that Prometheus can compute from other metrics. */
    private static final Set<String> LEFT_OUT = Set.of("SplitArrivals.NonPreferredShare", "NodePlacement.NonPreferredShare");

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    @Test
    void attributeThatIsNeitherMappedNorLeftOut(@TempDir Path directory)
            throws IOException,
            JMException
    {
        List<Pattern> rules = Pattern.compile("(?m)^  - pattern: '(.+)'$")
                .matcher(Files.readString(Path.of("../docs/operations/jmx-exporter.yaml")))
                .results()
                .map((MatchResult rule) -> Pattern.compile(rule.group(1)))
                .toList();
        Map<String, String> properties = Map.of(
                "hive.metastore", "file",
                "hive.metastore.catalog.dir", directory.resolve("metastore").toUri().toString(),
                "hive.metastore-cache-ttl", "2d",
                "cache.enabled", "true",
                "cache.base-directory", Files.createDirectory(directory.resolve("flash")).toString());
        Connector connector = new EyrieConnectorFactory().create("named", properties, new TestingConnectorContext());
        // a coordinator registers these when it places splits
        ObjectName node = new ObjectName("io.eyrie:type=NodePlacement,name=named,node=\"a\"");
        server.registerMBean(CatalogMBeans.metrics().add(NodeLoad.class, () -> new NodeLoad("a", 0, 0, 0, 0, 0)), node);
        try {
            Set<ObjectName> beans = server.queryNames(new ObjectName("io.eyrie:name=named,*"), null);
            assertThat(beans).extracting(bean -> bean.getKeyProperty("type")).containsExactlyInAnyOrder(
                    "AccessChecks",
                    "CacheDisk",
                    "DataCache",
                    "FileHandles",
                    "FileListCache",
                    "FileStatistics",
                    "FooterCaches",
                    "FragmentCache",
                    "MetastoreCache",
                    "NodePlacement",
                    "Savings",
                    "SelectStats",
                    "SplitArrivals");
            for (ObjectName bean : beans) {
                assertThat(attributes(bean)).allSatisfy(attribute -> assertThat(rules.stream().filter(
                        rule -> rule.matcher(attribute).find())).as("rules for %s", attribute).hasSize(1));
            }
        }
        finally {
            server.unregisterMBean(node);
            connector.shutdown();
        }
    }

    /** Returns the attributes of an MBean in the form that the exporter passes to its rules. */
    private List<String> attributes(ObjectName bean)
            throws JMException
    {
        String prefix = bean.getDomain() + "<" + bean.getKeyPropertyListString().replace(",", ", ") + "><>";
        List<String> attributes = new ArrayList<>();
        for (MBeanAttributeInfo attribute : server.getMBeanInfo(bean).getAttributes()) {
            assertThat(attribute.getDescription()).as(attribute.getName()).hasSizeGreaterThan(5);
            if (!LEFT_OUT.contains(bean.getKeyProperty("type") + "." + attribute.getName())) {
                attributes.add(prefix + attribute.getName().replaceAll("(?<!^)(?=\\p{Lu})", "_").toLowerCase(Locale.ROOT) + ": 1");
            }
        }
        return attributes;
    }
}
