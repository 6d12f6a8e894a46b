// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.engine;

import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The parts of a leaf, in the order of the list that {@link EngineLeaves} receives. */
record LeafParts(
        List<VariableReferenceExpression> columns,
        Optional<RowExpression> condition,
        Map<VariableReferenceExpression, RowExpression> definitions,
        List<RowExpression> outputs,
        Optional<List<CallExpression>> calls,
        List<Optional<RowExpression>> masks)
{
    @SuppressWarnings("unchecked")
    static LeafParts of(List<Object> leaf)
    {
        List<VariableReferenceExpression> defined = (List<VariableReferenceExpression>) leaf.get(2);
        List<RowExpression> expressions = (List<RowExpression>) leaf.get(3);
        Map<VariableReferenceExpression, RowExpression> definitions = new LinkedHashMap<>();
        for (int i = 0; i < defined.size(); i++) {
            definitions.put(defined.get(i), expressions.get(i));
        }
        return new LeafParts(
                (List<VariableReferenceExpression>) leaf.get(0),
                (Optional<RowExpression>) leaf.get(1),
                definitions,
                (List<RowExpression>) leaf.get(4),
                (Optional<List<CallExpression>>) leaf.get(5),
                (List<Optional<RowExpression>>) leaf.get(6));
    }
}
