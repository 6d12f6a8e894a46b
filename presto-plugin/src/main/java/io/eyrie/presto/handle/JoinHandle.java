// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.eyrie.fragment.join.JoinRows;
import io.eyrie.fragment.join.JoinStage;
import io.eyrie.fragment.leaf.Leaf;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Joins that a scan of the fact table stands for, in the form that travels to a worker.
 *
 * @param fact the filters and projections directly above the fact's scan
 * @param rows the joins, over the fact as input 0 and the dimensions
 */
public record JoinHandle(
        @JsonProperty("fact") LeafHandle fact,
        @JsonProperty("rows") JoinRows rows,
        @JsonProperty("dimensions") List<DimensionHandle> dimensions)
{
    // no reader of a table knows a column of this name
    private static final String JOINED = "join#";

    @JsonCreator
    public JoinHandle
    {
        requireNonNull(fact, "fact is null");
        requireNonNull(rows, "rows is null");
        dimensions = List.copyOf(dimensions);
    }

    /** Returns the leaf of the fact. */
    public Leaf factLeaf(List<Column> table)
    {
        return fact.leaf(table);
    }

    /**
     * Returns the columns of a scan that stands for joins: one for each variable after the last stage.
     *
     * @param fact its first column is what the engine reports as read in place of each of these columns
     */
    public static Map<VariableReferenceExpression, ColumnHandle> columns(JoinRows rows, Leaf fact)
    {
        HiveColumnHandle read = (HiveColumnHandle) fact.columns().values().iterator().next();
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        for (VariableReferenceExpression variable : rows.outputs()) {
            int place = columns.size();
            columns.put(variable, new HiveColumnHandle(
                    JOINED + place, HiveType.HIVE_BINARY, read.getTypeSignature(), place, ColumnType.REGULAR, Optional.of(read.getName()), Optional
                            .empty()));
        }
        return columns;
    }

    /** Whether a column is one of a scan that stands for joins. */
    public static boolean isJoined(ColumnHandle column)
    {
        return column instanceof HiveColumnHandle hive && hive.getName().startsWith(JOINED) && hive.getComment().isPresent();
    }

    /** Returns the place of a column among the variables after the last stage. */
    public static int place(ColumnHandle column)
    {
        if (!isJoined(column)) {
            throw new IllegalArgumentException("Not a column of the joins: " + column);
        }
        return Integer.parseInt(((HiveColumnHandle) column).getName().substring(JOINED.length()));
    }

    /** Returns the variable that a column reads. */
    public VariableReferenceExpression variable(ColumnHandle column)
    {
        return rows.outputs().get(place(column));
    }

    /** Returns a human-readable description. */
    public String text()
    {
        StringBuilder text = new StringBuilder();
        append(text, rows);
        return text.toString();
    }

    private void append(StringBuilder text, JoinRows below)
    {
        for (JoinStage stage : below.stages()) {
            stage.kind().ifPresent(kind -> {
                JoinRows build = stage.build().get(0);
                text.append(", ").append(kind).append(" JOIN ")
                        .append(dimensions.get(build.input() - 1).layout().getSchemaTableName())
                        .append(build.stages().stream().anyMatch(JoinStage::isGroup) ? " (aggregated)" : "")
                        .append(" ON ");
                for (int i = 0; i < stage.probeKeys().size(); i++) {
                    text.append(i == 0 ? "" : " AND ").append(stage.probeKeys().get(i).getName()).append(" = ").append(stage.buildKeys().get(i)
                            .getName());
                }
                append(text, build);
            });
        }
    }
}
