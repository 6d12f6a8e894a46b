// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.VariableAllocator;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.eyrie.fragment.leaf.Leaf;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;

/**
 * The columns of the scan that replaces a leaf. The engine derives properties of the rows from them, and reports them as the columns that the query
 * read.
 *
 * <p>An output that is a column of the table keeps the column's handle, so that sort order, partitioning and dynamic filters still apply to it. A
 * handle occurs only once in a scan: if several outputs are the same column, the last one has its handle, as in the engine's own translation of
 * properties. A computed output has a separate handle that is reported as one of the columns that the leaf reads. Columns that only conditions and
 * computations read are assigned, but not output.
 */
public final class LeafColumns
{
    // short, because the engine sends a handle of each column with each task
    private static final String COMPUTED = "leaf#";
    // at the end of its comment, distinguishes this handle from the column's own, because the engine derives properties only of output columns
    private static final String NOT_OUTPUT = "#";

    private LeafColumns()
    {}

    /** Returns the columns that the leaf reads. */
    public static List<HiveColumnHandle> read(Leaf leaf)
    {
        return leaf.columns().values().stream().map(HiveColumnHandle.class::cast).toList();
    }

    /** Returns the handles of the leaf's outputs, in their order. A leaf with outputs must read at least one column. */
    static List<ColumnHandle> outputs(Leaf leaf)
    {
        List<VariableReferenceExpression> outputs = leaf.outputs();
        ColumnHandle[] handles = new ColumnHandle[outputs.size()];
        Set<ColumnHandle> taken = new LinkedHashSet<>();
        for (int i = handles.length - 1; i >= 0; i--) {
            Optional<ColumnHandle> column = i < leaf.projections().size()
                    && leaf.projections().get(i).expression() instanceof VariableReferenceExpression variable
                            ? Optional.ofNullable(leaf.columns().get(variable)).filter(taken::add)
                            : Optional.empty();
            int place = i;
            handles[i] = column.orElseGet(() -> computed(place, (HiveColumnHandle) reported(leaf.columns().values().iterator().next())));
        }
        return List.of(handles);
    }

    /* The type and the comment are those of the column that the handle is reported as. */
    private static ColumnHandle computed(int place, HiveColumnHandle read)
    {
        return new HiveColumnHandle(COMPUTED + place, HiveType.HIVE_BINARY, read.getTypeSignature(), place, ColumnType.REGULAR, Optional.of(read
                .getName()), Optional.empty());
    }

    /** Whether a handle is that of a computed output, or of a row of joins. */
    public static boolean isComputed(ColumnHandle column)
    {
        return JoinHandle.isJoined(column)
                || (column instanceof HiveColumnHandle hive && hive.getName().startsWith(COMPUTED) && hive.getComment().isPresent());
    }

    /** Returns the column that a handle is reported as: one of the columns that the leaf reads for a computed output, else the handle itself. */
    public static ColumnHandle reported(ColumnHandle column)
    {
        return isComputed(column)
                ? new HiveColumnHandle(
                        ((HiveColumnHandle) column).getComment().orElseThrow(),
                        HiveType.HIVE_BINARY,
                        ((HiveColumnHandle) column).getTypeSignature(),
                        0,
                        ColumnType.REGULAR,
                        Optional.empty(),
                        Optional.empty())
                : column;
    }

    /**
     * Returns the scan's assignments: the leaf's outputs, followed by the columns that are read but not output.
     *
     * @param table the leaf directly over the table: the leaf itself, or the fact's if the leaf is over joins
     */
    public static Map<VariableReferenceExpression, ColumnHandle> assignments(Leaf leaf, Leaf table, VariableAllocator variables)
    {
        Map<VariableReferenceExpression, ColumnHandle> assignments = new LinkedHashMap<>();
        List<VariableReferenceExpression> outputs = leaf.outputs();
        List<ColumnHandle> handles = outputs(leaf);
        for (int i = 0; i < handles.size(); i++) {
            assignments.put(outputs.get(i), handles.get(i));
        }
        Set<ColumnHandle> given = Set.copyOf(handles);
        table.columns().forEach((variable, column) -> {
            if (!given.contains(column)) {
                assignments.put(assignments.containsKey(variable) ? variables.newVariable(variable) : variable, notOutput((HiveColumnHandle) column));
            }
        });
        return assignments;
    }

    /** Returns assignments that are not output, and only name columns. */
    public static Map<VariableReferenceExpression, ColumnHandle> named(Map<VariableReferenceExpression, ColumnHandle> columns,
            VariableAllocator variables)
    {
        Map<VariableReferenceExpression, ColumnHandle> assignments = new LinkedHashMap<>();
        columns.forEach((variable, column) -> assignments.put(variables.newVariable(variable), notOutput((HiveColumnHandle) column)));
        return assignments;
    }

    private static ColumnHandle notOutput(HiveColumnHandle column)
    {
        return new HiveColumnHandle(column.getName(), column.getHiveType(), column.getTypeSignature(), column.getHiveColumnIndex(), column
                .getColumnType(), Optional.of(column.getComment().orElse("") + NOT_OUTPUT), column.getRequiredSubfields(), column
                        .getPartialAggregation());
    }

    /** Returns the positions of the leaf's outputs by their handles. */
    static Map<ColumnHandle, Integer> places(Leaf leaf)
    {
        Map<ColumnHandle, Integer> places = new HashMap<>();
        outputs(leaf).forEach(column -> places.put(column, places.size()));
        return places;
    }

    /**
     * Returns the outputs that have the same value, other than NULL, in all rows of all splits.
     *
     * @param asked the domains of the scan's variables that the leaf's conjuncts imply
     */
    public static TupleDomain<ColumnHandle> fixed(Leaf leaf, TupleDomain<VariableReferenceExpression> asked)
    {
        List<ColumnHandle> handles = outputs(leaf);
        Map<ColumnHandle, Domain> fixed = new LinkedHashMap<>();
        for (int i = 0; i < leaf.projections().size(); i++) {
            ColumnHandle handle = handles.get(i);
            value(leaf.projections().get(i), asked).filter(Domain::isSingleValue).ifPresent(value -> fixed.put(handle, value));
        }
        return TupleDomain.withColumnDomains(fixed);
    }

    /** Returns the outputs that are NULL in all rows of all splits, which a scan cannot promise. */
    public static Set<VariableReferenceExpression> nulls(Leaf leaf, TupleDomain<VariableReferenceExpression> asked)
    {
        return leaf.projections()
                .stream()
                .filter(output -> value(output, asked).filter(Domain::isOnlyNull).isPresent())
                .map(Leaf.Projection::variable)
                .collect(toSet());
    }

    private static Optional<Domain> value(Leaf.Projection output, TupleDomain<VariableReferenceExpression> asked)
    {
        if (output.expression() instanceof ConstantExpression constant && constant.getType().isComparable()) {
            return Optional.of(constant.isNull()
                    ? Domain.onlyNull(constant.getType())
                    : Domain.singleValue(constant.getType(), requireNonNull(constant.getValue(), "no value")));
        }
        return output.expression() instanceof VariableReferenceExpression variable
                ? asked.getDomains().flatMap(domains -> Optional.ofNullable(domains.get(variable)))
                : Optional.empty();
    }
}
