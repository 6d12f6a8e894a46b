// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.BlockBuilder;
import com.facebook.presto.common.block.BlockEncodingManager;
import com.facebook.presto.common.type.DecimalType;
import com.facebook.presto.common.type.Decimals;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.TypeUtils;
import com.facebook.presto.metadata.FunctionAndTypeManager;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.function.FunctionHandle;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.facebook.presto.sql.relational.Expressions;
import io.airlift.slice.Slices;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.key.CoarserLeaf;
import io.eyrie.fragment.key.GroupedLeaf;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.LeafRun;
import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.facebook.presto.common.function.OperatorType.ADD;
import static com.facebook.presto.common.function.OperatorType.EQUAL;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.DateType.DATE;
import static com.facebook.presto.common.type.DoubleType.DOUBLE;
import static com.facebook.presto.common.type.VarbinaryType.VARBINARY;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.IN;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.IS_NULL;
import static com.facebook.presto.sql.analyzer.TypeSignatureProvider.fromTypes;
import static com.facebook.presto.sql.relational.Expressions.constant;
import static com.facebook.presto.sql.relational.Expressions.specialForm;
import static com.facebook.presto.testing.TestingConnectorSession.SESSION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Compares groups that are merged from finer ones with groups of the rows: the same groups, with the same states, bit by bit. */
final class MergedGroupsTest
{
    private static final FunctionAndTypeManager FUNCTIONS = FunctionAndTypeManager.createTestFunctionAndTypeManager();
    private static final EngineLeaves LEAVES = new EngineLeaves(FUNCTIONS);
    private static final CanonicalLeaf.Factory CANONICAL = new CanonicalLeaf.Factory(FUNCTIONS, new BlockEncodingManager(), (column, writer) -> writer
            .text(((NamedColumn) column).name()));
    private static final int CASES = 400;
    private static final int ROWS = 300;
    private static final Object NULL = new Object();

    private static final DecimalType SHORT = DecimalType.createDecimalType(10, 2);
    private static final DecimalType LONG = DecimalType.createDecimalType(30, 4);
    private static final VariableReferenceExpression A = variable("a", BIGINT);
    private static final VariableReferenceExpression S = variable("s", VARCHAR);
    private static final VariableReferenceExpression D = variable("d", DATE);
    private static final VariableReferenceExpression X = variable("x", DOUBLE);
    private static final VariableReferenceExpression V = variable("v", BIGINT);
    private static final VariableReferenceExpression M = variable("m", SHORT);
    private static final VariableReferenceExpression N = variable("n", LONG);
    private static final VariableReferenceExpression F = variable("f", BOOLEAN);
    private static final List<VariableReferenceExpression> COLUMNS = List.of(A, S, D, X, V, M, N, F);
    private static final List<VariableReferenceExpression> KEYS = List.of(A, S, D, X);
    private static final List<CallExpression> CALLS = List.of(
            call("count", BIGINT),
            call("count", BIGINT, S),
            call("count_if", BIGINT, F),
            call("sum", BIGINT, V),
            call("sum", DecimalType.createDecimalType(38, 2), M),
            call("sum", DecimalType.createDecimalType(38, 4), N),
            call("avg", SHORT, M),
            call("avg", LONG, N),
            call("min", BIGINT, V),
            call("max", VARCHAR, S),
            call("min", DATE, D),
            call("max", LONG, N),
            call("bool_and", BOOLEAN, F),
            call("bool_or", BOOLEAN, F),
            call("bitwise_and_agg", BIGINT, V),
            call("bitwise_or_agg", BIGINT, V),
            call("checksum", VARBINARY, X));

    private record NamedColumn(String name)
            implements ColumnHandle
    {}

    @Test
    void mergedGroupsAreThoseOfTheRows()
    {
        int merged = 0;
        for (long seed = 0; seed < CASES; seed++) {
            Random random = new Random(seed);
            List<Page> rows = List.of(rows(random), rows(random), rows(random));
            List<Leaf.Aggregate> aggregates = aggregates(random);
            List<RowExpression> common = random.nextBoolean() ? List.of() : List.of(greater(V, 100));
            Leaf finer = leaf(common, keys(random, 1), aggregates);
            List<RowExpression> conjuncts = new ArrayList<>(common);
            conditions(random).forEach(condition -> conjuncts.add(random.nextInt(conjuncts.size() + 1), condition));
            List<RowExpression> keys = new ArrayList<>(keys(random, 0));
            if (random.nextInt(3) == 0) {
                keys.add(operator(A, constant(1L, BIGINT)));
            }
            Leaf coarser = leaf(conjuncts, keys, some(random, aggregates));
            CanonicalLeaf finerForm = CANONICAL.of(finer);
            GroupedLeaf grouped = CANONICAL.of(coarser).grouped().orElseThrow();
            Optional<CoarserLeaf> found = grouped.from(finerForm.grouped().orElseThrow().grouping(Set.of()), grouped.grouping(Set.of()));
            if (found.isPresent()) {
                merged++;
                int[] channels = found.get().columns().stream().mapToInt(finerForm.outputs()::indexOf).toArray();
                List<Page> groups = run(LEAVES.compile(finer, SESSION).get(), rows).stream().map(page -> page.extractChannels(channels)).toList();
                // in their order, too: the FINAL step of the engine sees no difference
                assertThat(text(run(LEAVES.merge(found.get().leaf(), SESSION).get(), groups), coarser)).as("seed %s: %s from %s", seed, coarser,
                        finer)
                        .isEqualTo(text(run(LEAVES.compile(coarser, SESSION).get(), rows), coarser));
            }
        }
        assertThat(merged).as("cases that merge").isGreaterThan(CASES / 8);
    }

    @Test
    void oneGroupIsThereWithoutFinerGroups()
    {
        List<Leaf.Aggregate> aggregates = IntStream.range(0, CALLS.size()).mapToObj(MergedGroupsTest::aggregate).toList();
        Leaf finer = leaf(List.of(), List.of(A), aggregates);
        Leaf coarser = leaf(List.of(), List.of(), aggregates);
        List<Page> merged = run(LEAVES.merge(merging(finer, coarser).leaf(), SESSION).get(), List.of());
        assertThat(text(merged, coarser)).hasSize(1).isEqualTo(text(run(LEAVES.compile(coarser, SESSION).get(), List.of()), coarser));
    }

    @Test
    void sumThatOverflowsOnlyAsAWholeFailsBeforeThereIsAPage()
    {
        List<Leaf.Aggregate> sum = List.of(aggregate(3));
        Leaf finer = leaf(List.of(), List.of(A), sum);
        Leaf coarser = leaf(List.of(), List.of(), sum);
        LeafRun run = LEAVES.merge(merging(finer, coarser).leaf(), SESSION).get();
        Page groups = new Page(block(BIGINT, List.of(Long.MAX_VALUE, 1L)));
        assertThatThrownBy(() -> run.add(groups)).hasMessageContaining("overflow");
    }

    private static CoarserLeaf merging(Leaf finer, Leaf coarser)
    {
        GroupedLeaf grouped = CANONICAL.of(coarser).grouped().orElseThrow();
        return grouped.from(CANONICAL.of(finer).grouped().orElseThrow().grouping(Set.of()), grouped.grouping(Set.of())).orElseThrow();
    }

    private static List<RowExpression> keys(Random random, int least)
    {
        List<RowExpression> keys = new ArrayList<>(KEYS);
        Collections.shuffle(keys, random);
        return keys.subList(0, least + random.nextInt(KEYS.size() + 1 - least));
    }

    private static List<RowExpression> conditions(Random random)
    {
        List<RowExpression> all = new ArrayList<>(List.of(
                greater(A, 1),
                Expressions.call(EQUAL.name(), FUNCTIONS.resolveOperator(EQUAL, fromTypes(VARCHAR, VARCHAR)), BOOLEAN, S, constant(Slices.utf8Slice(
                        "t1"), VARCHAR)),
                specialForm(IS_NULL, BOOLEAN, S),
                specialForm(IN, BOOLEAN, D, constant(1L, DATE), constant(2L, DATE)),
                greater(operator(A, A), 3)));
        Collections.shuffle(all, random);
        return all.subList(0, random.nextInt(3));
    }

    private static List<Leaf.Aggregate> aggregates(Random random)
    {
        List<Leaf.Aggregate> all = new ArrayList<>();
        for (int i = 0; i < CALLS.size(); i++) {
            Leaf.Aggregate whole = aggregate(i);
            all.add(random.nextInt(4) > 0 ? whole : new Leaf.Aggregate(whole.variable(), whole.call(), Optional.of(greater(V, 500))));
        }
        return some(random, all);
    }

    private static Leaf.Aggregate aggregate(int call)
    {
        FunctionHandle function = CALLS.get(call).getFunctionHandle();
        Type state = FUNCTIONS.getJavaAggregateFunctionImplementation(function).getIntermediateType();
        return new Leaf.Aggregate(variable("state" + call, state), CALLS.get(call), Optional.empty());
    }

    private static <T> List<T> some(Random random, List<T> all)
    {
        List<T> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, random.nextInt(all.size() + 1));
    }

    private static Leaf leaf(List<RowExpression> conjuncts, List<RowExpression> keys, List<Leaf.Aggregate> aggregates)
    {
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        COLUMNS.forEach(column -> columns.put(column, new NamedColumn(column.getName())));
        return new Leaf(
                columns,
                conjuncts,
                List.of(),
                IntStream.range(0, keys.size()).mapToObj(i -> new Leaf.Projection(variable("key" + i, keys.get(i).getType()), keys.get(i))).toList(),
                Optional.of(aggregates));
    }

    private static List<Page> run(LeafRun run, List<Page> input)
    {
        List<Page> pages = new ArrayList<>();
        input.forEach(page -> run.add(page).forEachRemaining(pages::add));
        run.finish().forEachRemaining(pages::add);
        return pages;
    }

    private static List<String> text(List<Page> pages, Leaf leaf)
    {
        List<Type> types = leaf.outputs().stream().map(RowExpression::getType).toList();
        return pages.stream().flatMap(page -> IntStream.range(0, page.getPositionCount()).mapToObj(position -> IntStream.range(0, types.size())
                .mapToObj(
                        channel -> text(types.get(channel), page.getBlock(channel), position)).toList().toString())).toList();
    }

    private static String text(Type type, Block block, int position)
    {
        return type == DOUBLE && !block.isNull(position)
                ? Long.toHexString(block.getLong(position))
                : String.valueOf(type.getObjectValue(SESSION.getSqlFunctionProperties(), block, position));
    }

    private static Page rows(Random random)
    {
        List<List<Object>> columns = Stream.generate(() -> (List<Object>) new ArrayList<Object>()).limit(COLUMNS.size()).toList();
        for (int row = 0; row < ROWS; row++) {
            List<Object> values = List.of(
                    (long) random.nextInt(4),
                    Slices.utf8Slice("t" + random.nextInt(3)),
                    (long) random.nextInt(3),
                    List.of(0.0, -0.0, Double.NaN, 1.5).get(random.nextInt(4)),
                    (long) random.nextInt(1000),
                    (long) random.nextInt(1_000_000_000) - 500_000_000,
                    Decimals.encodeUnscaledValue(new BigInteger(99, random)),
                    random.nextBoolean());
            for (int i = 0; i < values.size(); i++) {
                columns.get(i).add(random.nextInt(6) == 0 ? NULL : values.get(i));
            }
        }
        return new Page(IntStream.range(0, COLUMNS.size()).mapToObj(i -> block(COLUMNS.get(i).getType(), columns.get(i))).toArray(Block[]::new));
    }

    private static Block block(Type type, List<?> values)
    {
        BlockBuilder builder = type.createBlockBuilder(null, values.size());
        values.forEach(value -> TypeUtils.writeNativeValue(type, builder, value == NULL ? null : value));
        return builder.build();
    }

    private static VariableReferenceExpression variable(String name, Type type)
    {
        return new VariableReferenceExpression(Optional.empty(), name, type);
    }

    private static RowExpression greater(RowExpression left, long right)
    {
        return Expressions.call(
                GREATER_THAN.name(),
                FUNCTIONS.resolveOperator(GREATER_THAN, fromTypes(BIGINT, BIGINT)),
                BOOLEAN,
                left,
                constant(right, BIGINT));
    }

    private static RowExpression operator(RowExpression left, RowExpression right)
    {
        return Expressions.call(ADD.name(), FUNCTIONS.resolveOperator(ADD, fromTypes(BIGINT, BIGINT)), BIGINT, left, right);
    }

    private static CallExpression call(String function, Type type, RowExpression... arguments)
    {
        return Expressions.call(FUNCTIONS, function, type, arguments);
    }
}
