// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.Node;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.PrestoWarning;
import com.facebook.presto.spi.WarningCollector;
import io.eyrie.cache.PageCaches;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.page.PageCache;
import io.eyrie.presto.config.EyrieCacheConfig;
import io.eyrie.presto.proxy.Proxies;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests what a coordinator refuses because of its own disks and directories. */
class NodeLimitsTest
{
    private static final long TOO_MUCH = 1L << 60;

    private final Path root;
    private final PageCache cache;
    private final EyrieCacheConfig config = new EyrieCacheConfig();
    private final List<PrestoWarning> warnings = new ArrayList<>();

    NodeLimitsTest(@TempDir Path root)
            throws IOException
    {
        this.root = root;
        Path pages = Files.createDirectory(root.resolve("pages"));
        cache = PageCaches.open(PageCacheConfig.builder().baseDirectories(List.of(pages)).capacityBytes(64 << 20).minFreeSpaceBytes(0).build());
    }

    @AfterEach
    void close()
    {
        cache.close();
    }

    private NodeLimits limits(boolean isWorker)
    {
        Node node = Proxies.of(Node.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "hashCode" -> 1;
            case "equals" -> proxy == arguments[0];
            default -> throw new UnsupportedOperationException(method.getName());
        });
        NodeManager nodes = Proxies.of(NodeManager.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getCurrentNode" -> node;
            case "getWorkerNodes" -> isWorker ? Set.of(node) : Set.of();
            default -> throw new UnsupportedOperationException(method.getName());
        });
        return new NodeLimits(config, Optional.of(cache), nodes);
    }

    private ConnectorSession session()
    {
        WarningCollector collector = Proxies.of(WarningCollector.class, (proxy, method, arguments) -> {
            warnings.add((PrestoWarning) arguments[0]);
            return null;
        });
        return Proxies.of(ConnectorSession.class, (proxy, method, arguments) -> collector);
    }

    @Test
    void capacityWithoutRoomIsRefusedWhereSplitsRunAndWarnedOfElsewhere()
    {
        limits(true).checkCapacity(session(), 1 << 20);
        assertThatThrownBy(() -> limits(true).checkCapacity(session(), TOO_MUCH)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("have room for ").hasMessageContaining("not for 1024PB").hasMessageContaining("cache.min-free-space");
        assertThat(warnings).isEmpty();
        limits(false).checkCapacity(session(), TOO_MUCH);
        assertThat(warnings).singleElement().extracting(PrestoWarning::getMessage).asString().contains("have room for ", "FROM cache.disks");
    }

    @Test
    void traceThatCouldNotBeWrittenIsRefused()
            throws IOException
    {
        assertRefused("cache.trace-directory is not set");
        config.setTraceDirectory(root.resolve("traces").toString());
        assertRefused("cache.trace-on-request is false");
        config.setTraceOnRequest(true);
        assertRefused("on this coordinator it does not exist");
        Files.writeString(root.resolve("traces"), "");
        assertRefused("it cannot be used");
        Files.delete(root.resolve("traces"));
        Files.createDirectory(root.resolve("traces"));
        limits(true).checkTrace();
    }

    private void assertRefused(String complaint)
    {
        assertThatThrownBy(limits(true)::checkTrace).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(complaint);
    }

    @Test
    void catalogWithoutCacheIsNotControlled()
    {
        NodeLimits none = new NodeLimits(config, Optional.empty(), Proxies.of(NodeManager.class, (proxy, method, arguments) -> {
            throw new UnsupportedOperationException(method.getName());
        }));
        assertThatThrownBy(none::checkTrace).hasMessageContaining("set cache.enabled=true");
        assertThatThrownBy(() -> none.checkCapacity(session(), 1)).hasMessageContaining("set cache.enabled=true");
    }
}
