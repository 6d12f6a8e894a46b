// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.BlockBuilder;
import com.facebook.presto.common.block.DictionaryBlock;
import com.facebook.presto.common.block.SortOrder;
import com.facebook.presto.common.type.StandardTypes;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.TypeUtils;
import com.facebook.presto.metadata.FunctionAndTypeManager;
import com.facebook.presto.metadata.FunctionListBuilder;
import com.facebook.presto.operator.aggregation.GenericAccumulatorFactory;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.function.JavaAggregationFunctionImplementation;
import com.facebook.presto.spi.function.ScalarFunction;
import com.facebook.presto.spi.function.SqlType;
import com.facebook.presto.spi.function.aggregation.Accumulator;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.facebook.presto.sql.relational.Expressions;
import io.eyrie.fragment.leaf.GroupPart;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.LeafRun;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static com.facebook.presto.common.function.OperatorType.ADD;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.DoubleType.DOUBLE;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.facebook.presto.sql.analyzer.TypeSignatureProvider.fromTypes;
import static com.facebook.presto.sql.relational.Expressions.constant;
import static com.facebook.presto.testing.TestingConnectorSession.SESSION;
import static org.assertj.core.api.Assertions.assertThat;

final class EngineLeavesTest
{
    private static final FunctionAndTypeManager FUNCTIONS = FunctionAndTypeManager.createTestFunctionAndTypeManager();
    private static final EngineLeaves LEAVES = new EngineLeaves(FUNCTIONS);
    private static final VariableReferenceExpression A = variable("a");
    private static final VariableReferenceExpression B = variable("b");
    private static final Map<VariableReferenceExpression, ColumnHandle> COLUMNS = columns();

    @Test
    void rowsAreFilteredAndProjected()
    {
        Leaf leaf = leaf(Optional.of(greater(A, 1)), List.of(B, operator(A, B)), Optional.empty(), List.of());
        assertThat(rows(run(leaf, page(numbers(1L, 2L, null, 4L), numbers(10L, 20L, 30L, null))), BIGINT, BIGINT))
                .containsExactly("[20, 22]", "[null, null]");
    }

    @Test
    void rowsWithoutColumnsAreCounted()
    {
        Leaf leaf = leaf(Optional.of(greater(A, 1)), List.of(), Optional.empty(), List.of());
        assertThat(run(leaf, page(numbers(1L, 2L, 3L), numbers(1L, 1L, 1L))).stream().mapToInt(Page::getPositionCount).sum()).isEqualTo(2);
    }

    @Test
    void oneGroupIsThereWithoutRows()
    {
        Leaf leaf = leaf(Optional.of(greater(A, 100)), List.of(), Optional.of(List.of(call("count", BIGINT), call("sum", BIGINT, A))), List
                .of());
        assertThat(rows(run(leaf), BIGINT, BIGINT)).containsExactly("[0, null]");
        assertThat(rows(run(leaf, page(numbers(1L), numbers(1L))), BIGINT, BIGINT)).containsExactly("[0, null]");
    }

    @Test
    void groupsAreNotThereWithoutRows()
    {
        assertThat(run(leaf(Optional.empty(), List.of(A), Optional.of(List.of(call("count", BIGINT))), List.of()))).isEmpty();
    }

    @Test
    void maskedAggregatesCountTheirRows()
    {
        Leaf leaf = leaf(
                Optional.empty(),
                List.of(),
                Optional.of(List.of(call("count", BIGINT), call("count", BIGINT))),
                List.of(Optional.of(greater(A, 2)), Optional.empty()));
        assertThat(rows(run(leaf, page(numbers(1L, 2L, 3L, null), numbers(1L, 1L, 1L, 1L))), BIGINT, BIGINT)).containsExactly("[1, 4]");
    }

    @Test
    void definitionsAreComputedLevelAfterLevel()
    {
        VariableReferenceExpression twice = variable("$0");
        VariableReferenceExpression fourTimes = variable("$1");
        VariableReferenceExpression sixteenTimes = variable("$2");
        Map<VariableReferenceExpression, RowExpression> definitions = new LinkedHashMap<>();
        definitions.put(twice, operator(A, A));
        definitions.put(fourTimes, operator(twice, twice));
        definitions.put(sixteenTimes, operator(operator(fourTimes, fourTimes), operator(fourTimes, fourTimes)));
        List<RowExpression> outputs = List.of(sixteenTimes, B, twice, operator(sixteenTimes, B), A);
        assertThat(rows(
                run(leaf(Optional.of(greater(A, 1)), definitions, outputs, Optional.empty(), List.of()), page(numbers(1L, 2L, null, 3L),
                        numbers(5L, 6L, 7L, null))),
                BIGINT, BIGINT, BIGINT, BIGINT, BIGINT))
                .containsExactly("[32, 6, 4, 38, 2]", "[48, null, 6, null, 3]");
        List<CallExpression> calls = List.of(call("sum", BIGINT, sixteenTimes), call("max", BIGINT, twice), call("count", BIGINT));
        assertThat(rows(
                run(leaf(Optional.empty(), definitions, List.of(B), Optional.of(calls), List.of(Optional.of(greater(fourTimes, 4)))),
                        page(numbers(1L, 2L, 3L), numbers(9L, 9L, 9L))),
                BIGINT, BIGINT, BIGINT, BIGINT)).containsExactly("[9, 80, 6, 3]");
    }

    @Test
    void thirtyLevelsThatUseOneAnotherTwiceAreComputedOnceEach()
    {
        Map<VariableReferenceExpression, RowExpression> definitions = new LinkedHashMap<>();
        VariableReferenceExpression last = A;
        for (int i = 0; i < 30; i++) {
            VariableReferenceExpression next = variable("$" + i);
            definitions.put(next, operator(last, last));
            last = next;
        }
        assertThat(rows(run(leaf(Optional.empty(), definitions, List.of(last), Optional.empty(), List.of()), page(numbers(1L, null), numbers(1L,
                1L))), BIGINT)).containsExactly("[" + (1L << 30) + "]", "[null]");
    }

    @Test
    void nullIsAGroup()
    {
        Leaf leaf = leaf(Optional.empty(), List.of(A), Optional.of(List.of(call("sum", BIGINT, B))), List.of());
        Block dictionary = new DictionaryBlock(numbers(5L, null), new int[] {0, 1, 0, 1});
        assertThat(rows(run(leaf, page(dictionary, numbers(1L, 2L, 3L, 4L))), BIGINT, BIGINT)).containsExactlyInAnyOrder("[5, 4]", "[null, 6]");
    }

    @Test
    void distinctKeysAreGroupsWithoutAggregates()
    {
        Leaf leaf = leaf(Optional.empty(), List.of(A), Optional.of(List.of()), List.of());
        assertThat(rows(run(leaf, page(numbers(3L, 3L, null, null, 1L), numbers(0L, 0L, 0L, 0L, 0L))), BIGINT))
                .containsExactlyInAnyOrder("[3]", "[null]", "[1]");
    }

    @Test
    void intermediateFormIsTheEnginesOwn()
    {
        CallExpression average = call("avg", DOUBLE, A);
        JavaAggregationFunctionImplementation implementation = FUNCTIONS.getJavaAggregateFunctionImplementation(average.getFunctionHandle());
        List<Page> partial = run(
                leaf(Optional.empty(), List.of(), Optional.of(List.of(average)), List.of()),
                page(numbers(1L, 2L, null), numbers(0L, 0L, 0L)),
                page(numbers(6L), numbers(0L)));
        Accumulator end = GenericAccumulatorFactory.generateAccumulatorFactory(implementation, List.of(0), Optional.empty())
                .createIntermediateAccumulator();
        partial.forEach(page -> end.addIntermediate(page.getBlock(0)));
        BlockBuilder result = DOUBLE.createBlockBuilder(null, 1);
        end.evaluateFinal(result);
        assertThat(DOUBLE.getDouble(result.build(), 0)).isEqualTo(3);
        assertThat(LEAVES.hasIntermediate(average.getFunctionHandle(), implementation.getIntermediateType())).isTrue();
        assertThat(LEAVES.hasIntermediate(average.getFunctionHandle(), BIGINT)).isFalse();
        assertThat(LEAVES.isOwn(average.getFunctionHandle())).isTrue();
    }

    @Test
    void manyGroupsAreGivenOutInPieces()
    {
        Leaf leaf = leaf(Optional.empty(), List.of(A), Optional.of(List.of(call("sum", BIGINT, B))), List.of());
        LeafRun run = LEAVES.compile(leaf, SESSION).get();
        Map<Long, Long> sums = new TreeMap<>();
        int groups = 400_000;
        long most = 0;
        int before = 0;
        for (int start = 0; start < groups; start += 10_000) {
            Block keys = numbers(LongStream.range(start, start + 10_000).map(key -> key % (groups - 100)).boxed().toArray());
            Block ones = numbers(Collections.nCopies(10_000, 1L).toArray());
            before += add(sums, run.add(page(keys, ones)));
            most = Math.max(most, run.retainedBytes());
        }
        add(sums, run.finish());
        assertThat(before).as("groups given out before the end").isPositive();
        assertThat(most).isLessThan(64 << 20);
        assertThat(sums).hasSize(groups - 100);
        assertThat(sums.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(groups);
        assertThat(sums.get(5L)).isEqualTo(2);
    }

    @Test
    void completeGroupsHaveFinalValuesAndComeInParts()
    {
        Leaf leaf = leaf(Optional.empty(), List.of(A), Optional.of(List.of(call("avg", DOUBLE, B), call("count", BIGINT))), List.of());
        Object[] keys = LongStream.range(0, 1000).mapToObj(i -> i % 100 == 7 ? null : i % 100).toArray();
        Object[] values = LongStream.range(0, 1000).mapToObj(i -> i % 10 == 3 ? null : i).toArray();
        List<Page> input = List.of(
                page(numbers(Arrays.copyOf(keys, 600)), numbers(Arrays.copyOf(values, 600))),
                page(numbers(Arrays.copyOfRange(keys, 600, 1000)), numbers(Arrays.copyOfRange(values, 600, 1000))));
        List<String> all = complete(leaf, GroupPart.ALL, input);
        assertThat(all).hasSize(100).contains("[5, 455.0, 10]", "[3, null, 10]", "[null, 457.0, 10]");
        List<GroupPart> parts = GroupPart.ALL.halves().stream().flatMap(half -> half.halves().stream()).toList();
        List<String> inParts = new ArrayList<>();
        for (GroupPart part : parts) {
            List<String> some = complete(leaf, part, input);
            assertThat(some).as("groups of %s", part).hasSizeBetween(5, 60);
            inParts.addAll(some);
        }
        assertThat(inParts).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void onlyWantedGroupsAreComplete()
    {
        // the keys are the second channel of the rows, and the second of the two keys is wanted
        Leaf leaf = leaf(Optional.empty(), List.of(B, A), Optional.of(List.of(call("count", BIGINT))), List.of());
        GroupPart wanted = GroupPart.of(keys -> position -> BIGINT.getLong(keys.getBlock(1), position) == 5);
        Page rows = page(numbers(5L, 6L, 5L, 5L), numbers(1L, 1L, 2L, 1L));
        List<String> groups = new ArrayList<>();
        for (GroupPart half : wanted.halves()) {
            LeafRun run = LEAVES.complete(leaf, SESSION).apply(half);
            assertThat(run.add(rows)).isExhausted();
            groups.addAll(rows(list(run.finish()), BIGINT, BIGINT, BIGINT));
        }
        assertThat(groups).containsExactlyInAnyOrder("[1, 5, 2]", "[2, 5, 1]");
    }

    @Test
    void topHasTheFirstRowsOfAllPages()
    {
        VariableReferenceExpression first = variable("first");
        VariableReferenceExpression second = variable("second");
        Leaf rows = new Leaf(
                COLUMNS,
                List.of(greater(B, constant(0L, BIGINT))),
                List.of(),
                List.of(new Leaf.Projection(first, operator(A, A)), new Leaf.Projection(second, B)),
                Optional.empty());
        Page[] input = {
                page(numbers(5L, null, 7L, 5L), numbers(2L, 3L, 0L, 1L)),
                page(numbers(9L, 1L), numbers(8L, 8L)),
                page(numbers(5L), numbers(4L))};
        List<Leaf.Order> orders = List.of(new Leaf.Order(first, SortOrder.DESC_NULLS_FIRST), new Leaf.Order(second, SortOrder.ASC_NULLS_LAST));
        assertThat(rows(run(rows.withTop(Optional.of(new Leaf.Top(4, orders))), input), BIGINT, BIGINT))
                .containsExactlyInAnyOrder("[null, 3]", "[18, 8]", "[10, 1]", "[10, 2]");
        assertThat(run(rows.withTop(Optional.of(new Leaf.Top(100, orders))), input).stream().mapToInt(Page::getPositionCount).sum()).isEqualTo(6);
        assertThat(run(rows.withTop(Optional.of(new Leaf.Top(4, orders))))).isEmpty();
    }

    @Test
    void partThatRetainsTheRowsOfOtherParts()
    {
        VariableReferenceExpression text = new VariableReferenceExpression(Optional.empty(), "text", VARCHAR);
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        columns.put(A, new ColumnHandle() {});
        columns.put(text, new ColumnHandle() {});
        Leaf leaf = new Leaf(
                columns,
                List.of(),
                List.of(),
                List.of(new Leaf.Projection(variable("output"), A)),
                Optional.of(List.of(new Leaf.Aggregate(variable("aggregate"), call("max", VARCHAR, text), Optional.empty()))));
        BlockBuilder texts = VARCHAR.createBlockBuilder(null, 1000);
        IntStream.range(0, 1000).forEach(i -> VARCHAR.writeString(texts, i + "x".repeat(10_000)));
        Page page = page(numbers(LongStream.range(0, 1000).boxed().toArray()), texts.build());
        LeafRun run = LEAVES.complete(leaf, SESSION).apply(new GroupPart(64, 0, Optional.empty()));
        assertThat(run.add(page)).isExhausted();
        assertThat(run.retainedBytes()).as("bytes of a 64th of %s bytes", page.getSizeInBytes()).isLessThan(page.getSizeInBytes() / 16);
    }

    @Test
    void completeAggregatesWithoutKeysHaveOneRow()
    {
        Leaf leaf = leaf(Optional.empty(), List.of(), Optional.of(List.of(call("avg", DOUBLE, B), call("count", BIGINT))), List.of());
        LeafRun run = LEAVES.complete(leaf, SESSION).apply(GroupPart.ALL);
        assertThat(run.add(page(numbers(1L, 2L), numbers(3L, 4L)))).isExhausted();
        assertThat(rows(list(run.finish()), DOUBLE, BIGINT)).containsExactly("[3.5, 2]");
        assertThat(rows(list(LEAVES.complete(leaf, SESSION).apply(GroupPart.ALL).finish()), DOUBLE, BIGINT)).containsExactly("[null, 0]");
    }

    private static List<String> complete(Leaf leaf, GroupPart part, List<Page> input)
    {
        LeafRun run = LEAVES.complete(leaf, SESSION).apply(part);
        input.forEach(page -> assertThat(run.add(page)).isExhausted());
        return rows(list(run.finish()), BIGINT, DOUBLE, BIGINT);
    }

    private static List<Page> list(Iterator<Page> pages)
    {
        List<Page> list = new ArrayList<>();
        pages.forEachRemaining(list::add);
        return list;
    }

    /** A function that counts its calls. */
    public static final class CountedFunction
    {
        private static final AtomicInteger CALLS = new AtomicInteger();

        private CountedFunction()
        {}

        @ScalarFunction("counted")
        @SqlType(StandardTypes.BIGINT)
        public static long counted(@SqlType(StandardTypes.BIGINT) long value)
        {
            CALLS.incrementAndGet();
            return value;
        }
    }

    @Test
    void whatIsConstantIsComputedOnceAndNotForEachRow()
    {
        FUNCTIONS.registerBuiltInFunctions(new FunctionListBuilder().scalars(CountedFunction.class).getFunctions());
        RowExpression two = call("counted", BIGINT, constant(2L, BIGINT));
        RowExpression nothing = operator(call("counted", BIGINT, constant(1L, BIGINT)), constant(null, BIGINT));
        Leaf leaf = leaf(
                Optional.of(greater(A, two)),
                List.of(operator(B, two), nothing),
                Optional.empty(),
                List.of());
        assertThat(rows(run(leaf, page(numbers(1L, 2L, 3L, 4L, 5L), numbers(1L, 2L, 3L, 4L, 5L))), BIGINT, BIGINT))
                .containsExactly("[5, null]", "[6, null]", "[7, null]");
        assertThat(CountedFunction.CALLS.get()).as("once an expression").isLessThanOrEqualTo(3);
    }

    private static int add(Map<Long, Long> sums, Iterator<Page> pages)
    {
        int[] count = new int[1];
        pages.forEachRemaining(page -> {
            for (int i = 0; i < page.getPositionCount(); i++) {
                sums.merge(BIGINT.getLong(page.getBlock(0), i), BIGINT.getLong(page.getBlock(1), i), Long::sum);
                count[0]++;
            }
        });
        return count[0];
    }

    private static Leaf leaf(
            Optional<RowExpression> condition,
            List<RowExpression> outputs,
            Optional<List<CallExpression>> calls,
            List<Optional<RowExpression>> masks)
    {
        return leaf(condition, Map.of(), outputs, calls, masks);
    }

    private static Leaf leaf(
            Optional<RowExpression> condition,
            Map<VariableReferenceExpression, RowExpression> definitions,
            List<RowExpression> outputs,
            Optional<List<CallExpression>> calls,
            List<Optional<RowExpression>> masks)
    {
        List<Leaf.Projection> defined = new ArrayList<>();
        definitions.forEach((variable, expression) -> defined.add(new Leaf.Projection(variable, expression)));
        return new Leaf(
                COLUMNS,
                condition.map(List::of).orElse(List.of()),
                defined,
                outputs.stream().map(output -> new Leaf.Projection(variable("output"), output)).toList(),
                calls.map(list -> IntStream.range(0, list.size())
                        .mapToObj(i -> new Leaf.Aggregate(variable("aggregate"), list.get(i), i < masks.size() ? masks.get(i) : Optional.empty()))
                        .toList()));
    }

    private static Map<VariableReferenceExpression, ColumnHandle> columns()
    {
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        columns.put(A, new ColumnHandle() {});
        columns.put(B, new ColumnHandle() {});
        return columns;
    }

    private static List<Page> run(Leaf leaf, Page... input)
    {
        LeafRun run = LEAVES.compile(leaf, SESSION).get();
        List<Page> pages = new ArrayList<>();
        Arrays.stream(input).forEach(page -> run.add(page).forEachRemaining(pages::add));
        run.finish().forEachRemaining(pages::add);
        return pages;
    }

    private static List<String> rows(List<Page> pages, Type... types)
    {
        List<String> rows = new ArrayList<>();
        for (Page page : pages) {
            for (int position = 0; position < page.getPositionCount(); position++) {
                List<String> values = new ArrayList<>();
                for (int channel = 0; channel < types.length; channel++) {
                    values.add(String.valueOf(types[channel].getObjectValue(SESSION.getSqlFunctionProperties(), page.getBlock(channel), position)));
                }
                rows.add(values.toString());
            }
        }
        return rows;
    }

    private static Page page(Block... blocks)
    {
        return new Page(blocks);
    }

    private static Block numbers(@Nullable Object... values)
    {
        BlockBuilder builder = BIGINT.createBlockBuilder(null, values.length);
        for (@Nullable
        Object value : values) {
            if (value == null) {
                builder.appendNull();
            }
            else {
                TypeUtils.writeNativeValue(BIGINT, builder, value);
            }
        }
        return builder.build();
    }

    private static VariableReferenceExpression variable(String name)
    {
        return new VariableReferenceExpression(Optional.empty(), name, BIGINT);
    }

    private static RowExpression greater(RowExpression left, long right)
    {
        return greater(left, constant(right, BIGINT));
    }

    private static RowExpression greater(RowExpression left, RowExpression right)
    {
        return Expressions.call(
                GREATER_THAN.name(),
                FUNCTIONS.resolveOperator(GREATER_THAN, fromTypes(BIGINT, BIGINT)),
                BOOLEAN,
                left,
                right);
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
