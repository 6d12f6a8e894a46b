// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.spi.ConnectorTableLayout;
import com.facebook.presto.spi.ConnectorTableLayoutHandle;
import com.facebook.presto.spi.ConnectorTableLayoutResult;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.connector.ConnectorMetadata;
import com.facebook.presto.spi.relation.ConstantExpression;
import io.eyrie.presto.handle.FragmentLayoutHandle;
import io.eyrie.presto.proxy.Proxies;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static org.assertj.core.api.Assertions.assertThat;

class LayoutClassTest
{
    private static final HiveTableLayoutHandle HIVE = new HiveTableLayoutHandle.Builder()
            .setSchemaTableName(new SchemaTableName("schema", "table"))
            .setTablePath("path")
            .setPartitionColumns(List.of())
            .setDataColumns(List.of())
            .setTableParameters(Map.of())
            .setDomainPredicate(TupleDomain.all())
            .setRemainingPredicate(new ConstantExpression(true, BOOLEAN))
            .setPredicateColumns(Map.of())
            .setPartitionColumnPredicate(TupleDomain.all())
            .setPartitions(Optional.empty())
            .setBucketHandle(Optional.empty())
            .setBucketFilter(Optional.empty())
            .setPushdownFilterEnabled(false)
            .setLayoutString("layout")
            .setRequestedColumns(Optional.empty())
            .setPartialAggregationsPushedDown(false)
            .setAppendRowNumberEnabled(false)
            .build();

    /* The engine writes layouts from any of these methods into a plan, and its handle resolver accepts only one class. */
    @Test
    void layoutOfHivesOwnClassReachesTheEngine()
            throws ReflectiveOperationException
    {
        ConnectorMetadata wrapped = LayoutClass.wrapped(Proxies.of(ConnectorMetadata.class, (proxy, method, arguments) -> answer(method)));
        List<Method> methods = Arrays.stream(ConnectorMetadata.class.getMethods())
                .filter(method -> method.getGenericReturnType().getTypeName().contains(ConnectorTableLayout.class.getName()))
                .toList();
        assertThat(methods).extracting(Method::getName).contains("getTableLayout", "getTableLayouts", "getTableLayoutForConstraint",
                "getAlternativeLayoutHandle");
        for (Method method : methods) {
            Object[] arguments = Arrays.stream(method.getParameterTypes()).map(type -> type == ConnectorTableLayoutHandle.class ? HIVE : null)
                    .toArray();
            assertThat(handle(method.invoke(wrapped, arguments))).as(method.toString()).isInstanceOf(FragmentLayoutHandle.class);
        }
    }

    private static Object answer(Method method)
    {
        ConnectorTableLayout layout = new ConnectorTableLayout(HIVE);
        ConnectorTableLayoutResult result = new ConnectorTableLayoutResult(layout, TupleDomain.all());
        Class<?> type = method.getReturnType();
        return type == List.class
                ? List.of(result)
                : type == ConnectorTableLayoutResult.class
                        ? result
                        : type == ConnectorTableLayout.class
                                ? layout
                                : HIVE;
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
