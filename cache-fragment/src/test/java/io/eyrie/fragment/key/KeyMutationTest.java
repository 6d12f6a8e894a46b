// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.common.block.SortOrder;
import com.facebook.presto.common.function.SqlFunctionProperties;
import com.facebook.presto.common.type.TimeZoneKey;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.function.FunctionHandle;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.facebook.presto.testing.TestingMetadata.TestingColumnHandle;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.mutation.FieldMutations;
import io.eyrie.fragment.TestingLeaves;
import io.eyrie.fragment.join.JoinRows;
import io.eyrie.fragment.join.JoinStage;
import io.eyrie.fragment.key.CanonicalJoin.CanonicalInput;
import io.eyrie.fragment.leaf.Leaf;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import static com.facebook.presto.common.function.OperatorType.LESS_THAN;
import static com.facebook.presto.common.function.OperatorType.LESS_THAN_OR_EQUAL;
import static com.facebook.presto.common.function.OperatorType.MULTIPLY;
import static com.facebook.presto.common.function.OperatorType.SUBTRACT;
import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.COALESCE;
import static com.facebook.presto.sql.relational.Expressions.constant;
import static com.facebook.presto.sql.relational.Expressions.specialForm;
import static io.eyrie.fragment.TestingLeaves.CANONICAL;
import static io.eyrie.fragment.TestingLeaves.call;
import static io.eyrie.fragment.TestingLeaves.compare;
import static io.eyrie.fragment.TestingLeaves.operator;
import static io.eyrie.fragment.TestingLeaves.variable;

/** Tests that each field of a fragment key's inputs changes the key, or is excused here with a reason. */
final class KeyMutationTest
{
    private static final VariableReferenceExpression A = variable("a", BIGINT);
    private static final VariableReferenceExpression B = variable("b", BIGINT);
    private static final VariableReferenceExpression SUM = variable("$0", BIGINT);
    private static final VariableReferenceExpression MASK = variable("m", BOOLEAN);
    private static final BlobKey ROWS = new BlobKey(1, 2);

    @Test
    void leafOfRows()
    {
        Leaf.Top top = new Leaf.Top(3, List.of(
                new Leaf.Order(variable("x", BIGINT), SortOrder.ASC_NULLS_FIRST), new Leaf.Order(variable("y", BIGINT), SortOrder.DESC_NULLS_LAST)));
        leaves().excusing("Leaf.aggregation empty", "leafOfGroups() has one")
                .assertEachTells(leaf(Optional.empty()).withTop(Optional.of(top)), KeyMutationTest::key);
    }

    @Test
    void leafOfGroups()
    {
        Leaf.Aggregate total = new Leaf.Aggregate(variable("total", BIGINT), call("sum", BIGINT, A), Optional.of(MASK));
        Leaf.Aggregate most = new Leaf.Aggregate(variable("most", BIGINT), call("max", BIGINT, B), Optional.of(MASK));
        leaves().excusing("Leaf.top empty", "leafOfRows() has one").assertEachTells(leaf(Optional.of(List.of(total, most))), KeyMutationTest::key);
    }

    /** All that identifies the rows of joins. */
    private record JoinedRows(JoinRows rows, List<CanonicalInput> inputs)
    {}

    @Test
    void joins()
    {
        expressions()
                .excusing("JoinRows.variables", "the inputs have the same variables")
                .excusing("JoinRows.stages empty", "an input without joins; the others have stages")
                .excusing("JoinStage.build empty", "of a stage that is no join")
                .excusing("JoinStage.probeKeys empty", "of a stage that is no join")
                .excusing("JoinStage.buildKeys empty", "of a stage that is no join")
                .excusing("JoinStage.conjuncts empty", "of a stage without conditions")
                .excusing("JoinStage.conjuncts order", "a AND b is b AND a")
                .excusing("JoinStage.expressions empty", "of a join")
                .excusing("JoinStage.outputs order", "later stages name the variables that they read; another order of expressions changes the key")
                .assertEachTells(joined(), KeyMutationTest::key);
    }

    /* A left join with conditions on pairs of rows, a semi-join, an aggregation of a build side, and a condition. */
    private static JoinedRows joined()
    {
        VariableReferenceExpression c = variable("c", BIGINT);
        VariableReferenceExpression d = variable("d", BIGINT);
        VariableReferenceExpression e = variable("e", BIGINT);
        VariableReferenceExpression f = variable("f", BIGINT);
        VariableReferenceExpression sum = variable("sum", BIGINT);
        VariableReferenceExpression flag = variable("flag", BOOLEAN);
        JoinRows groups = new JoinRows(1, List.of(c, d), List.of(new JoinStage(
                "GROUP", List.of(), List.of(), List.of(), List.of(), List.of(c, sum), List.of(c, call("sum", BIGINT, d)))));
        JoinRows rows = new JoinRows(0, List.of(A, B), List.of(
                new JoinStage(
                        "LEFT", List.of(groups), List.of(A, B), List.of(c, sum), List.of(compare(LESS_THAN, B, sum), compare(LESS_THAN, A, c)), List
                                .of(A, B, sum),
                        List.of()),
                new JoinStage("SEMI", List.of(new JoinRows(2, List.of(e, f), List.of())), List.of(A, B), List.of(e, f), List.of(), List.of(A, B,
                        sum, flag),
                        List.of()),
                new JoinStage("", List.of(), List.of(), List.of(), List.of(compare(LESS_THAN, A, sum), flag), List.of(A, SUM), List.of(A, operator(
                        SUBTRACT, BIGINT, B, sum)))));
        return new JoinedRows(rows, List.of(input(1, A, B), input(2, c, d), input(3, e, f)));
    }

    private static CanonicalInput input(int number, VariableReferenceExpression first, VariableReferenceExpression second)
    {
        byte digit = (byte) (10 * number);
        return new CanonicalInput(new byte[] {1, digit}, Map.of(first, new byte[] {2, digit}, second, new byte[] {3, digit}));
    }

    /* A copy whose stages no longer fit one another has no key; its exception stands for the key. */
    private static Object key(JoinedRows joined)
    {
        try {
            CanonicalJoin form = new CanonicalJoin.Factory(TestingLeaves.FUNCTIONS, TestingLeaves.BLOCKS).of(joined.rows(), joined.inputs());
            return Stream.of(form.rows(), form.value(A), form.value(SUM)).map(HexFormat.of()::formatHex).toList();
        }
        catch (IllegalArgumentException | NullPointerException | IndexOutOfBoundsException e) {
            return e.toString();
        }
    }

    @Test
    void canonicalLeaf()
    {
        CanonicalLeaf leaf = new CanonicalLeaf(new byte[] {1, 2, 3}, List.of(new OutputId(1, 2), new OutputId(3, 4)));
        SplitKey split = split();
        new FieldMutations().excusing("CanonicalLeaf.grouped", "the leaf of the form; what results it may use is in Grouping")
                .excusing("CanonicalLeaf.all", "the form of more rows; it is a part of rows")
                .assertEachTells(leaf, changed -> FragmentKey.of(changed, split));
        FragmentKey key = FragmentKey.of(leaf, split);
        new FieldMutations().assertEachTells(key, changed -> List.of(changed.known(), changed.storedOutputs(), changed.outputs()));
        new FieldMutations().assertEachTells(key.storedOutputs(), key::result);
        new FieldMutations().excusing("FragmentKey.outputs", "what is asked for; result() is given what is stored")
                .assertEachTells(key, changed -> changed.result(key.storedOutputs()));
        new FieldMutations().excusing("FragmentKey.outputs", "of all results with the same rows").assertEachTells(new FragmentKey(ROWS, List.of()),
                FragmentKey::known);
    }

    @Test
    void grouping()
    {
        Grouping grouping = new Grouping(
                Optional.of(ROWS), Set.of(new BlobKey(3, 4)), Set.of(new BlobKey(5, 6)), Set.of(new OutputId(7, 8)), Set.of("ds"));
        SplitKey split = split();
        new FieldMutations()
                .excusing("Grouping.aggregates", "they differ only in their columns")
                .excusing("Grouping.partitionColumns", "they are in the key of the split")
                .assertEachTells(grouping, changed -> FragmentKey.of(changed.form(List.of()), split));
    }

    @Test
    void splitKey()
    {
        CanonicalLeaf leaf = new CanonicalLeaf(new byte[] {1, 2, 3}, List.of());
        new FieldMutations().assertEachTells(split(), changed -> FragmentKey.of(leaf, changed));
        new FieldMutations().assertEachTells(split(), changed -> FragmentKey.range(changed, writer -> writer.text("column")));
    }

    @Test
    void versionOfAFile()
    {
        FileVersion version = new FileVersion(new StoreId("s3://a", "alice"), "/f", 10, 1000, Optional.of("e"));
        new FieldMutations().assertEachTells(version, changed -> written(writer -> writer.file(changed)));
    }

    @Test
    void session()
    {
        SqlFunctionProperties session = SqlFunctionProperties.builder()
                .setTimeZoneKey(TimeZoneKey.UTC_KEY)
                .setSessionLocale(Locale.ENGLISH)
                .setSessionUser("alice")
                .setExtraCredentials(Map.of("a", "b"))
                .build();
        new FieldMutations()
                .replacing(TimeZoneKey.class, zone -> TimeZoneKey.getTimeZoneKey("Asia/Tokyo"))
                .replacing(Locale.class, locale -> Locale.GERMANY)
                .excusing("SqlFunctionProperties.sessionStartTime",
                        "now() is a constant of the plan by then, and other functions that read it are refused; a result that follows it is not stored")
                .excusing("SqlFunctionProperties.sessionUser",
                        "a leaf with a function that reads it is refused; FILE has the principal who reads the file")
                .excusing("SqlFunctionProperties.extraCredentials", "no function of the engine reads them")
                .excusing("SqlFunctionProperties.warnOnCommonNanPatterns", "warns while the query is analyzed")
                .assertEachTells(session, changed -> written(writer -> SessionFacts.write(changed, writer)));
    }

    private static SplitKey split()
    {
        SplitKey.Builder builder = SplitKey.builder();
        Stream.of(KeyPart.values()).forEach(part -> builder.with(part, writer -> writer.text(part.name())));
        return builder.build();
    }

    /* Uses expressions of each class in each place of a leaf fragment that may have some. */
    private static Leaf leaf(Optional<List<Leaf.Aggregate>> aggregation)
    {
        RowExpression coalesced = specialForm(COALESCE, BIGINT, A, constant(3L, BIGINT));
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        Stream.of(A, B, MASK).forEach(variable -> columns.put(variable, new TestingColumnHandle(variable.getName())));
        return new Leaf(
                columns,
                List.of(compare(LESS_THAN, A, constant(7L, BIGINT)), compare(LESS_THAN, B, coalesced), MASK),
                List.of(new Leaf.Projection(SUM, operator(SUBTRACT, BIGINT, A, B))),
                List.of(new Leaf.Projection(variable("x", BIGINT), operator(SUBTRACT, BIGINT, SUM, constant(5L, BIGINT))),
                        new Leaf.Projection(variable("y", BIGINT), specialForm(COALESCE, BIGINT, B, SUM))),
                aggregation);
    }

    private static FieldMutations leaves()
    {
        return expressions()
                .replacing(TestingColumnHandle.class, column -> new TestingColumnHandle(column.getName() + "x"))
                .excusing("Leaf.conjuncts order", "a AND b is b AND a")
                .excusing("Projection.variable", "plans number variables as they like; the key has the expression with its type");
    }

    private static FieldMutations expressions()
    {
        FunctionHandle less = compare(LESS_THAN, A, B).getFunctionHandle();
        FunctionHandle minus = operator(SUBTRACT, BIGINT, A, B).getFunctionHandle();
        FunctionHandle sum = call("sum", BIGINT, A).getFunctionHandle();
        FunctionHandle lessOrEqual = compare(LESS_THAN_OR_EQUAL, A, B).getFunctionHandle();
        FunctionHandle times = operator(MULTIPLY, BIGINT, A, B).getFunctionHandle();
        FunctionHandle least = call("min", BIGINT, A).getFunctionHandle();
        return new FieldMutations()
                .replacing(Type.class, type -> VARCHAR)
                .replacing(FunctionHandle.class, function -> function.equals(less)
                        ? lessOrEqual
                        : function.equals(minus) ? times : function.equals(sum) ? least : sum)
                .excusing("RowExpression.sourceLocation", "where it stands in the query's text")
                .excusing("CallExpression.displayName", "the function handle names the function")
                .excusing("VariableReferenceExpression.name", "plans number variables as they like; the key has what defines them");
    }

    /* A copy whose expressions no longer fit its columns has no key; its error message stands for the key. */
    private static Object key(Leaf leaf)
    {
        try {
            CanonicalLeaf canonical = CANONICAL.of(leaf);
            return List.of(HexFormat.of().formatHex(canonical.rows()), canonical.outputs());
        }
        catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String written(Consumer<IdentityWriter> content)
    {
        IdentityWriter writer = new IdentityWriter();
        content.accept(writer);
        return Arrays.toString(writer.toBytes());
    }
}
