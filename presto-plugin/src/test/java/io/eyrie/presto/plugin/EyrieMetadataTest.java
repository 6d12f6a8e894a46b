// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.hive.HiveTableHandle;
import com.facebook.presto.hive.HiveTransactionHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.ConnectorTableLayout;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.ConnectorTableLayoutResult;
import com.facebook.presto.spi.Constraint;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.connector.ConnectorMetadata;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.metastore.files.FileListConfig;
import io.eyrie.metastore.files.FileLists;
import io.eyrie.metastore.files.ListStore;
import io.eyrie.metastore.files.TableVersions;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.config.EyrieFileListConfig;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.handle.HiveLayouts;
import io.eyrie.presto.handle.LeafHandle;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.listing.PrefixListings;
import io.eyrie.presto.metastore.TransactionObserver;
import io.eyrie.presto.proxy.Proxies;
import org.junit.jupiter.api.Test;

import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

import static com.facebook.presto.spi.StandardErrorCode.NOT_SUPPORTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EyrieMetadataTest
{
    private static final HiveTableHandle TABLE = new HiveTableHandle("schema", "table");

    private final CacheModes modes = new CacheModes();

    /* The engine writes layouts from any of these methods into a plan, and its handle resolver accepts only one class. */
    @Test
    void layoutOfHivesOwnClassReachesTheEngine()
            throws ReflectiveOperationException
    {
        ConnectorMetadata wrapped = wrapped((proxy, method, arguments) -> answer(method));
        List<Method> methods = Arrays.stream(ConnectorMetadata.class.getMethods())
                .filter(method -> method.getGenericReturnType().getTypeName().contains(ConnectorTableLayout.class.getName()))
                .toList();
        assertThat(methods).extracting(Method::getName).contains("getTableLayout", "getTableLayouts", "getTableLayoutForConstraint",
                "getAlternativeLayoutHandle");
        for (Method method : methods) {
            Object[] arguments = Arrays.stream(method.getParameterTypes()).map(type -> type == ConnectorTableLayoutHandle.class
                    ? HiveLayouts.ORDERS
                    : null)
                    .toArray();
            assertThat(handle(method.invoke(wrapped, arguments))).as(method.toString()).isInstanceOf(EyrieLayoutHandle.class);
        }
    }

    /* The engine asks for a scan's layout from a dozen places of its planner. */
    @Test
    void hiveComputesTheLayoutOfAHandleOnce()
    {
        List<Object> computed = new ArrayList<>();
        ConnectorMetadata wrapped = wrapped((proxy, method, arguments) -> {
            computed.add(method.getName());
            return answer(method);
        });
        ConnectorTableLayoutHandle chosen = wrapped.getTableLayoutForConstraint(session(), TABLE, Constraint.alwaysTrue(), Optional.empty())
                .getTableLayout().getHandle();
        assertThat(wrapped.getTableLayout(session(), chosen)).isSameAs(wrapped.getTableLayout(session(), chosen));
        assertThat(computed).containsExactly("getTableLayoutForConstraint");
        ConnectorTableLayoutHandle equal = EyrieLayoutHandle.own(HiveLayouts.ORDERS);
        assertThat(wrapped.getTableLayout(session(), equal)).isSameAs(wrapped.getTableLayout(session(), equal));
        assertThat(computed).containsExactly("getTableLayoutForConstraint", "getTableLayout");
    }

    /* While it plans a scan, the engine asks several times for a layout with the list of all its partitions, and uses the last one. */
    @Test
    void layoutsThatPlanningDiscardsAreCollected()
    {
        ConnectorMetadata wrapped = wrapped((proxy, method, arguments) -> answer(method));
        List<WeakReference<ConnectorTableLayoutHandle>> discarded = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            discarded.add(new WeakReference<>(wrapped.getTableLayoutForConstraint(session(), TABLE, Constraint.alwaysTrue(), Optional.empty())
                    .getTableLayout().getHandle()));
        }
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (discarded.stream().anyMatch(handle -> handle.get() != null) && System.nanoTime() < deadline) {
            System.gc();
        }
        assertThat(discarded).allMatch(handle -> handle.get() == null);
        wrapped.cleanupQuery(session()); // until here, the transaction refers to its metadata
    }

    /* The engine deletes whole partitions if it finds no filter above a scan, and a leaf's filter is inside its scan. */
    @Test
    void deleteOverALeafIsRefused()
    {
        List<Object> deleted = new ArrayList<>();
        ConnectorMetadata wrapped = wrapped((proxy, method, arguments) -> {
            deleted.add(arguments[2]);
            return OptionalLong.empty();
        });
        LeafHandle leaf = LeafHandle.of(new Leaf(Map.of(), List.of(), List.of(), List.of(), Optional.empty()), List.of());
        ConnectorTableLayoutHandle layout = EyrieLayoutHandle.of(HiveLayouts.ORDERS, leaf, Optional.empty());
        assertThatThrownBy(() -> wrapped.metadataDelete(session(), TABLE, layout)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("would remove too many rows");
        assertThat(deleted).isEmpty();
        assertThat(wrapped.metadataDelete(session(), TABLE, HiveLayouts.ORDERS)).isEmpty();
        assertThat(deleted).containsExactly(HiveLayouts.ORDERS);
    }

    @Test
    void modesOfTheSessionAreRememberedExceptInACleanup()
    {
        List<String> calls = new ArrayList<>();
        ConnectorMetadata wrapped = wrapped((proxy, method, arguments) -> {
            calls.add(method.getName() + " " + modes.of("query", CacheLayer.METASTORE));
            return method.getName().equals("listSchemaNames") ? List.of("schema") : null;
        });
        ConnectorSession unknown = Proxies.of(ConnectorSession.class, (proxy, method, arguments) -> {
            throw new IllegalStateException("Unknown session property");
        });
        wrapped.cleanupQuery(unknown);
        assertThat(wrapped.listSchemaNames(session())).containsExactly("schema");
        wrapped.beginQuery(session());
        assertThat(calls).containsExactly("cleanupQuery READ_WRITE", "listSchemaNames BYPASS", "beginQuery BYPASS");
    }

    @Test
    void failureIsHivesOwn()
    {
        PrestoException failure = new PrestoException(NOT_SUPPORTED, "no");
        ConnectorMetadata wrapped = wrapped((proxy, method, arguments) -> {
            throw failure;
        });
        assertThatThrownBy(() -> wrapped.truncateTable(session(), TABLE)).isSameAs(failure);
    }

    private ConnectorMetadata wrapped(InvocationHandler hive)
    {
        FileLists lists = new FileLists(
                new FileListConfig(List.of("*"), 1 << 20, 1000, Duration.ofDays(1), Duration.ofMinutes(1), Optional.empty()), TableVersions.UNKNOWN,
                ListStore.NONE);
        TransactionObserver queries = new TransactionObserver(lists, new Ledger("eyrie"), new PrefixListings(new EyrieFileListConfig()));
        return new EyrieMetadata(Proxies.of(ConnectorMetadata.class, hive), new HiveTransactionHandle(), queries, modes);
    }

    private static ConnectorSession session()
    {
        return Proxies.of(ConnectorSession.class, (proxy, method, arguments) -> method.getName().equals("getQueryId") ? "query" : CacheMode.BYPASS);
    }

    private static Object answer(Method method)
    {
        ConnectorTableLayout layout = new ConnectorTableLayout(HiveLayouts.ORDERS);
        ConnectorTableLayoutResult result = new ConnectorTableLayoutResult(layout, TupleDomain.all());
        Class<?> type = method.getReturnType();
        return type == List.class
                ? List.of(result)
                : type == ConnectorTableLayoutResult.class
                        ? result
                        : type == ConnectorTableLayout.class
                                ? layout
                                : HiveLayouts.ORDERS;
    }

    private static Object handle(Object answer)
    {
        if (answer instanceof List<?> results) {
            return handle(results.get(0));
        }
        if (answer instanceof ConnectorTableLayoutResult result) {
            return handle(result.getTableLayout());
        }
        return answer instanceof ConnectorTableLayout layout ? layout.getHandle() : answer;
    }
}
