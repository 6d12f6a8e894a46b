// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.BlockBuilder;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.metadata.FunctionAndTypeManager;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.facebook.presto.sql.relational.Expressions;
import com.facebook.presto.testing.TestingSession;
import io.eyrie.fragment.leaf.GroupPart;
import io.eyrie.fragment.leaf.JoinBuild;
import io.eyrie.fragment.leaf.JoinKind;
import io.eyrie.fragment.leaf.JoinShape;
import io.eyrie.fragment.leaf.JoinShape.PairCondition;
import io.eyrie.fragment.leaf.LeafRun;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static com.facebook.presto.common.function.OperatorType.LESS_THAN;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.sql.analyzer.TypeSignatureProvider.fromTypes;
import static org.assertj.core.api.Assertions.assertThat;

/** Joins with the build side in memory, and streamed past parts of the split, have the rows that SQL defines. */
class EngineJoinsTest
{
    private static final FunctionAndTypeManager FUNCTIONS = FunctionAndTypeManager.createTestFunctionAndTypeManager();
    private static final EngineLeaves LEAVES = new EngineLeaves(FUNCTIONS);
    private static final ConnectorSession SESSION = TestingSession.testSessionBuilder().build().toConnectorSession();
    private static final int ROUNDS = 200;

    /** A row of a key and a number. */
    private record Row(@Nullable Long key, long number)
    {}

    @ParameterizedTest
    @EnumSource
    void randomSidesHaveTheRowsOfNestedLoops(JoinKind kind)
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            List<List<Row>> probe = pages(random);
            List<List<Row>> build = pages(random);
            // conditions on pairs belong to left joins only
            boolean conditioned = kind == JoinKind.LEFT && random.nextBoolean();
            List<String> expected = expected(kind, conditioned, flat(probe), flat(build));
            JoinShape shape = conditioned ? conditioned() : shape(kind);
            assertThat(rows(kind, inMemory(shape, build), probe)).as("in memory, seed %s, round %s", seed, round)
                    .containsExactlyInAnyOrderElementsOf(expected);
            int batchBytes = 1 + random.nextInt(2000);
            assertThat(rows(kind, streamed(shape, build, batchBytes), probe)).as("streamed, seed %s, round %s", seed, round)
                    .containsExactlyInAnyOrderElementsOf(expected);
            assertThat(rows(kind, streamedGroups(shape, build, batchBytes, key -> {}), probe)).as("wanted groups, seed %s, round %s", seed, round)
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyGroupsThatMayMatchAreComputed(JoinKind kind)
    {
        List<Row> build = new ArrayList<>(List.of(new Row(null, 1)));
        LongStream.range(0, 100).forEach(key -> build.add(new Row(key, 1)));
        List<@Nullable Long> computed = new ArrayList<>();
        rows(kind, streamedGroups(shape(kind), List.of(build), 1 << 20, computed::add), List.of(List.of(new Row(7L, 1), new Row(1000L, 1)),
                List.of(new Row(9L, 1))));
        assertThat(computed).containsExactlyElementsOf(kind == JoinKind.SEMI ? Arrays.asList(null, 7L, 9L) : List.of(7L, 9L));

        computed.clear();
        rows(kind, streamedGroups(shape(kind), List.of(build), 1 << 20, computed::add), List.of(List.of(new Row(null, 1), new Row(7L, 1))));
        assertThat(computed).as("with NULL, of which IN needs to know whether there is any group").hasSize(kind == JoinKind.SEMI ? 101 : 1);
    }

    @Test
    void aRowWithManyMatchesComesInSeveralPages()
    {
        List<Row> build = new ArrayList<>();
        for (int i = 0; i < 300_000; i++) {
            build.add(new Row(7L, i));
        }
        List<List<Row>> probe = List.of(List.of(new Row(7L, 1)));
        for (LeafRun run : List.of(inMemory(shape(JoinKind.INNER), List.of(build)), streamed(shape(JoinKind.INNER), List.of(build), 1))) {
            Iterator<Page> pages = run.add(page(probe.get(0)));
            int count = 0;
            int positions = 0;
            while (pages.hasNext()) {
                Page page = pages.next();
                if (page == LeafRun.NONE_YET) {
                    continue;
                }
                assertThat(page.getSizeInBytes()).isLessThan(4 << 20);
                positions += page.getPositionCount();
                count++;
            }
            assertThat(positions).isEqualTo(300_000);
            assertThat(count).isGreaterThan(1);
        }
    }

    @Test
    void theSizeOfABuildSideGrowsWithItsRows()
    {
        for (JoinKind kind : JoinKind.values()) {
            JoinBuild build = LEAVES.build(shape(kind), SESSION);
            long empty = build.retainedBytes();
            for (long i = 0; i < 100; i++) {
                List<Row> rows = new ArrayList<>();
                for (long j = 0; j < 1000; j++) {
                    rows.add(new Row(i * 1000 + j, j));
                }
                build.add(page(rows));
            }
            // a key and a hash entry at least
            assertThat(build.retainedBytes() - empty).isGreaterThan(100_000 * 16);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStreamedBuildSideIsReadOnePageAtATimeAndItsBatchCounts(JoinKind kind)
    {
        AtomicInteger read = new AtomicInteger();
        List<Row> other = List.of(new Row(8L, 1));
        Function<GroupPart, Iterator<Page>> build = part -> IntStream.range(0, 100).mapToObj(i -> {
            read.incrementAndGet();
            return page(other);
        }).iterator();
        LeafRun run = LEAVES.streamed(shape(kind), Map.of(), build, 1, SESSION);
        long empty = run.retainedBytes();
        Iterator<Page> output = run.add(page(List.of(new Row(7L, 1))));
        for (int step = 1; step <= 100; step++) {
            assertThat(output.next()).isSameAs(LeafRun.NONE_YET);
            assertThat(read.get()).isLessThanOrEqualTo(step + 1);
            assertThat(run.retainedBytes() - empty).as("the batch").isPositive();
        }
        output.forEachRemaining(page -> {});
        assertThat(run.retainedBytes()).as("after the batch").isEqualTo(empty);
    }

    private static LeafRun inMemory(JoinShape shape, List<List<Row>> build)
    {
        JoinBuild side = LEAVES.build(shape, SESSION);
        build.forEach(rows -> side.add(page(rows)));
        return side.finish().probe();
    }

    private static LeafRun streamed(JoinShape shape, List<List<Row>> build, long batchBytes)
    {
        // a build side is not always available
        return LEAVES.streamed(
                shape, Map.of(), part -> build.stream().flatMap(rows -> Stream.of(LeafRun.NONE_YET, page(rows))).iterator(), batchBytes, SESSION);
    }

    /** Streams a build side whose rows are groups of their keys. Only the wanted groups are computed. */
    private static LeafRun streamedGroups(JoinShape shape, List<List<Row>> build, long batchBytes, Consumer<@Nullable Long> computed)
    {
        return LEAVES.streamed(
                shape,
                Map.of(0, 1),
                part -> build.stream().map(rows -> {
                    IntPredicate wanted = part.wanted().map(some -> some.among(page(rows).extractChannels(new int[] {1, 0}))).orElse(
                            position -> true);
                    List<Row> groups = IntStream.range(0, rows.size()).filter(wanted).mapToObj(rows::get).toList();
                    groups.forEach(row -> computed.accept(row.key));
                    return page(groups);
                }).iterator(),
                batchBytes,
                SESSION);
    }

    private static JoinShape shape(JoinKind kind)
    {
        List<Type> types = List.of(BIGINT, BIGINT);
        return new JoinShape(kind, types, List.of(0), List.of(1, 0), types, List.of(0), kind == JoinKind.SEMI ? List.of() : List.of(1), Optional
                .empty());
    }

    /** Returns a left join whose pairs have a lower number on the probe side. */
    private static JoinShape conditioned()
    {
        JoinShape plain = shape(JoinKind.LEFT);
        List<VariableReferenceExpression> probe = List.of(variable("probe_key"), variable("probe_number"));
        List<VariableReferenceExpression> build = List.of(variable("build_key"), variable("build_number"));
        RowExpression condition = Expressions.call(
                "<", FUNCTIONS.resolveOperator(LESS_THAN, fromTypes(BIGINT, BIGINT)), BOOLEAN, probe.get(1), build.get(1));
        return new JoinShape(
                plain.kind(), plain.probe(), plain.probeKeys(), plain.probeOutputs(), plain.build(), plain.buildKeys(), plain.buildOutputs(),
                Optional.of(new PairCondition(List.of(condition), probe, build)));
    }

    private static VariableReferenceExpression variable(String name)
    {
        return new VariableReferenceExpression(Optional.empty(), name, BIGINT);
    }

    private static List<String> expected(JoinKind kind, boolean conditioned, List<Row> probe, List<Row> build)
    {
        List<String> rows = new ArrayList<>();
        for (Row row : probe) {
            String read = row.number + " " + row.key;
            List<Row> matches = build.stream().filter(other -> row.key != null && row.key.equals(other.key)
                    && (!conditioned || row.number < other.number)).toList();
            if (kind == JoinKind.SEMI) {
                boolean unknown = row.key == null || build.stream().anyMatch(other -> other.key == null);
                rows.add(read + " " + (build.isEmpty() ? "false" : !matches.isEmpty() ? "true" : unknown ? "null" : "false"));
                continue;
            }
            matches.forEach(match -> rows.add(read + " " + match.number));
            if (matches.isEmpty() && kind == JoinKind.LEFT) {
                rows.add(read + " null");
            }
        }
        return rows;
    }

    private static List<String> rows(JoinKind kind, LeafRun run, List<List<Row>> probe)
    {
        List<Page> pages = new ArrayList<>();
        probe.forEach(rows -> run.add(page(rows)).forEachRemaining(pages::add));
        run.finish().forEachRemaining(pages::add);
        Type last = kind == JoinKind.SEMI ? BOOLEAN : BIGINT;
        List<String> rows = new ArrayList<>();
        pages.removeIf(page -> page == LeafRun.NONE_YET);
        for (Page page : pages) {
            for (int position = 0; position < page.getPositionCount(); position++) {
                rows.add(value(BIGINT, page, 0, position) + " " + value(BIGINT, page, 1, position) + " " + value(last, page, 2, position));
            }
        }
        return rows;
    }

    private static String value(Type type, Page page, int channel, int position)
    {
        return String.valueOf(type.getObjectValue(SESSION.getSqlFunctionProperties(), page.getBlock(channel), position));
    }

    private static List<List<Row>> pages(Random random)
    {
        List<List<Row>> pages = new ArrayList<>();
        int keys = 1 + random.nextInt(10);
        boolean nulls = random.nextBoolean();
        for (int page = random.nextInt(5); page > 0; page--) {
            List<Row> rows = new ArrayList<>();
            for (int row = random.nextInt(20); row > 0; row--) {
                rows.add(new Row(nulls && random.nextInt(5) == 0 ? null : (long) random.nextInt(keys), random.nextInt(100)));
            }
            pages.add(rows);
        }
        return pages;
    }

    private static List<Row> flat(List<List<Row>> pages)
    {
        return pages.stream().flatMap(List::stream).toList();
    }

    private static Page page(List<Row> rows)
    {
        BlockBuilder keys = BIGINT.createBlockBuilder(null, rows.size());
        BlockBuilder numbers = BIGINT.createBlockBuilder(null, rows.size());
        for (Row row : rows) {
            if (row.key == null) {
                keys.appendNull();
            }
            else {
                BIGINT.writeLong(keys, row.key);
            }
            BIGINT.writeLong(numbers, row.number);
        }
        Block[] blocks = {keys.build(), numbers.build()};
        return new Page(rows.size(), blocks);
    }
}
