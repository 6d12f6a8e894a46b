// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.spi.plan.AggregationNode;
import com.facebook.presto.spi.plan.FilterNode;
import com.facebook.presto.spi.plan.PlanNode;
import com.facebook.presto.spi.plan.ProjectNode;
import com.facebook.presto.spi.plan.TableScanNode;
import com.facebook.presto.spi.plan.TopNNode;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.airlift.slice.Slice;

import java.util.Collection;
import java.util.IdentityHashMap;

/**
 * Measures a leaf by the plan nodes that it would be read from, and stops at the bounds: measuring a plan of any size costs no more than measuring
 * one that just fits. Used once.
 */
final class LeafSize
{
    /** Expressions and columns. */
    static final int MAX_NODES = 10_000;
    /** Depth of one expression, and of stacked plan nodes. JSON nests two levels for each, and the engine's parser accepts 1,000. */
    static final int MAX_DEPTH = 200;
    /** Estimated size as JSON. */
    static final long MAX_BYTES = 8L << 20;
    /** The largest constant that is repeated at each use instead of being defined once. */
    static final int SMALL_CONSTANT_BYTES = 64;

    // a call with its function's signature, or a column's handle
    private static final int NODE_BYTES = 300;

    private final IdentityHashMap<Type, Integer> types = new IdentityHashMap<>();
    private int nodes;
    private long bytes;

    private LeafSize()
    {}

    static boolean fits(PlanNode root)
    {
        return new LeafSize().addPlan(root);
    }

    /** Whether expressions together are within the bounds. */
    static boolean fits(Collection<RowExpression> expressions)
    {
        LeafSize size = new LeafSize();
        return expressions.stream().allMatch(expression -> size.add(expression, MAX_DEPTH));
    }

    private boolean addPlan(PlanNode root)
    {
        PlanNode node = root;
        for (int depth = 0; depth < MAX_DEPTH; depth++) {
            if (!addNode(node)) {
                return false;
            }
            if (!(node instanceof TopNNode || node instanceof AggregationNode || node instanceof ProjectNode || node instanceof FilterNode)) {
                return true;
            }
            node = node.getSources().get(0);
        }
        return false;
    }

    private boolean addNode(PlanNode node)
    {
        if (node instanceof AggregationNode aggregation) {
            return aggregation.getAggregations().values().stream().allMatch(aggregate -> add(aggregate.getCall(), MAX_DEPTH));
        }
        if (node instanceof ProjectNode project) {
            // renamed variables do not become part of the leaf
            return project.getAssignments()
                    .getExpressions()
                    .stream()
                    .allMatch(expression -> expression instanceof VariableReferenceExpression || add(expression, MAX_DEPTH));
        }
        if (node instanceof FilterNode filter) {
            return add(filter.getPredicate(), MAX_DEPTH);
        }
        return !(node instanceof TableScanNode scan) || scan.getOutputVariables().stream().allMatch(variable -> add(variable, MAX_DEPTH));
    }

    private boolean add(RowExpression expression, int depthLeft)
    {
        nodes++;
        bytes += NODE_BYTES + types.computeIfAbsent(expression.getType(), LeafSize::typeBytes)
                + (expression instanceof ConstantExpression constant ? constantBytes(constant) : 0);
        if (nodes > MAX_NODES || bytes > MAX_BYTES || depthLeft == 0) {
            return false;
        }
        for (RowExpression child : expression.getChildren()) {
            if (!add(child, depthLeft - 1)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the size of the value as the Base64 text of a block. */
    static long constantBytes(ConstantExpression constant)
    {
        Object value = constant.getValue();
        long binary = value instanceof Slice slice ? slice.length() : value instanceof Block block ? block.getSizeInBytes() : Long.BYTES;
        return binary * 4 / 3;
    }

    private static int typeBytes(Type type)
    {
        return type.getTypeParameters().isEmpty() ? 0 : type.getTypeSignature().toString().length();
    }
}
