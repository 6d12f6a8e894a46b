// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import io.eyrie.affinity.placement.Node;
import io.eyrie.affinity.placement.NodeLoad;
import io.eyrie.affinity.placement.NodeView;
import io.eyrie.presto.catalog.CatalogMBeans;
import io.eyrie.presto.catalog.CatalogName;
import org.junit.jupiter.api.Test;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class NodePlacementsTest
{
    private final MBeanServer server = MBeanServerFactory.newMBeanServer();
    private final NodePlacements placements = new NodePlacements(new CatalogMBeans(server, new CatalogName("hive"), Set.of()));

    @Test
    void nodeIsNotSeen()
            throws JMException
    {
        placements.add(List.of(new NodeLoad("a:1", 2, 4, 100, 1, 0)), members("a:1", "b"));
        placements.add(List.of(new NodeLoad("a:1", 2, 4, 100, 0, 1)), members("a:1", "b"));

        ObjectName name = new ObjectName("io.eyrie:type=NodePlacement,name=hive,node=\"a:1\"");
        assertThat(beans()).containsExactly(name);
        assertThat(server.getAttribute(name, "Keys")).isEqualTo(4L);
        assertThat(server.getAttribute(name, "Splits")).isEqualTo(8L);
        assertThat(server.getAttribute(name, "Bytes")).isEqualTo(200L);
        assertThat(server.getAttribute(name, "OverflowSplits")).isEqualTo(1L);
        assertThat(server.getAttribute(name, "StandInSplits")).isEqualTo(1L);
        assertThat(server.getAttribute(name, "NonPreferredShare")).isEqualTo(0.25);
    }

    @Test
    void nodeThatLeftIsStillCounted()
            throws JMException
    {
        placements.add(List.of(new NodeLoad("a", 1, 1, 1, 0, 0), new NodeLoad("b", 1, 1, 1, 0, 0)), members("a", "b"));
        placements.add(List.of(new NodeLoad("a", 1, 1, 1, 0, 0)), members("b"));
        assertThat(beans()).extracting(name -> name.getKeyProperty("node")).containsExactly("\"b\"");

        placements.add(List.of(new NodeLoad("a", 1, 1, 1, 0, 0)), members("a", "b"));
        assertThat(server.getAttribute(new ObjectName("io.eyrie:type=NodePlacement,name=hive,node=\"a\""), "Splits")).isEqualTo(1L);
    }

    private Set<ObjectName> beans()
            throws JMException
    {
        return server.queryNames(new ObjectName("io.eyrie:*"), null);
    }

    private static NodeView members(String... ids)
    {
        return new NodeView(Stream.of(ids).map(id -> new Node(id, id, Node.UNKNOWN_WEIGHT)).toList(), Set.of());
    }
}
