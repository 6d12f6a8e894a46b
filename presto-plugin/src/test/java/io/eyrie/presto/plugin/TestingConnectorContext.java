// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.presto.common.block.BlockEncodingSerde;
import com.facebook.presto.common.type.ArrayType;
import com.facebook.presto.common.type.TypeManager;
import com.facebook.presto.spi.ConnectorSystemConfig;
import com.facebook.presto.spi.Node;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.PageIndexerFactory;
import com.facebook.presto.spi.PageSorter;
import com.facebook.presto.spi.connector.ConnectorContext;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.function.StandardFunctionResolution;
import com.facebook.presto.spi.plan.FilterStatsCalculatorService;
import com.facebook.presto.spi.relation.DeterminismEvaluator;
import com.facebook.presto.spi.relation.DomainTranslator;
import com.facebook.presto.spi.relation.RowExpressionService;

import java.lang.reflect.Proxy;
import java.util.Map;

import static com.facebook.presto.common.type.VarcharType.VARCHAR;

/** An engine that returns its version, knows only arrays of varchar, and has services that must not be called: enough to start a catalog. */
final class TestingConnectorContext
        implements ConnectorContext
{
    private final ClassLoader engine;

    TestingConnectorContext()
    {
        this(TestingConnectorContext.class.getClassLoader());
    }

    /** @param engine the class loader of the engine's classes; sees those of the SPI */
    TestingConnectorContext(ClassLoader engine)
    {
        this.engine = engine;
    }

    @Override
    public NodeManager getNodeManager()
    {
        return answering(NodeManager.class, Map.of("getCurrentNode", answering(Node.class, Map.of("getVersion", "0.296", "getNodeIdentifier",
                "node", "isCoordinator", true))));
    }

    @Override
    public TypeManager getTypeManager()
    {
        return answering(TypeManager.class, Map.of("getType", new ArrayType(VARCHAR)));
    }

    @Override
    public FunctionMetadataManager getFunctionMetadataManager()
    {
        return answering(FunctionMetadataManager.class, Map.of());
    }

    @Override
    public StandardFunctionResolution getStandardFunctionResolution()
    {
        return answering(StandardFunctionResolution.class, Map.of());
    }

    @Override
    public PageSorter getPageSorter()
    {
        return answering(PageSorter.class, Map.of());
    }

    @Override
    public PageIndexerFactory getPageIndexerFactory()
    {
        return answering(PageIndexerFactory.class, Map.of());
    }

    @Override
    public RowExpressionService getRowExpressionService()
    {
        return answering(
                RowExpressionService.class,
                Map.of(
                        "getDeterminismEvaluator", answering(DeterminismEvaluator.class, Map.of()),
                        "getDomainTranslator", answering(DomainTranslator.class, Map.of())));
    }

    @Override
    public FilterStatsCalculatorService getFilterStatsCalculatorService()
    {
        return answering(FilterStatsCalculatorService.class, Map.of());
    }

    @Override
    public BlockEncodingSerde getBlockEncodingSerde()
    {
        return answering(BlockEncodingSerde.class, Map.of());
    }

    @Override
    public ConnectorSystemConfig getConnectorSystemConfig()
    {
        return answering(ConnectorSystemConfig.class, Map.of("isNativeExecution", false));
    }

    private <T> T answering(Class<T> type, Map<String, Object> answers)
    {
        return type.cast(Proxy.newProxyInstance(engine, new Class<?>[] {type}, (proxy, method, arguments) -> switch (method
                .getName()) {
            case "toString" -> type.getSimpleName();
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == arguments[0];
            default -> {
                Object answer = answers.get(method.getName());
                if (answer == null) {
                    throw new UnsupportedOperationException(method.toString());
                }
                yield answer;
            }
        }));
    }
}
