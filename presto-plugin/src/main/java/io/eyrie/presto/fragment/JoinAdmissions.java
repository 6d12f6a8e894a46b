// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HivePartition;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.hive.PartitionNameWithVersion;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.plan.EquiJoinClause;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.google.inject.Inject;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.fragment.join.Conditions;
import io.eyrie.fragment.join.JoinRefusal;
import io.eyrie.fragment.join.JoinRows;
import io.eyrie.fragment.join.JoinTree;
import io.eyrie.fragment.join.JoinTree.JoinInput;
import io.eyrie.fragment.key.CanonicalJoin;
import io.eyrie.fragment.key.CanonicalJoin.CanonicalInput;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.key.ClockConstants;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.result.SeenPlans;
import io.eyrie.presto.config.JoinAdmission;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.handle.JoinHandle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Decides whether joins are worth computing in a form whose results can be cached: whether the coordinator has planned the same before, and has not
 * refused it recently after it listed the tables. Remembers a bounded number of plans. Thread-safe.
 */
final class JoinAdmissions
{
    // sixteen bytes each, and the cache's entry
    private static final int LISTED_REMEMBERED = 10_000;
    // tables change their size
    private static final Duration LISTED_FOR = Duration.ofMinutes(10);
    // slow stores recover
    private static final Duration NOT_LISTED_FOR = Duration.ofMinutes(1);

    /** A build side takes about as many times the bytes of its files. */
    private static final int DECODED = 4;
    /** Build sides may take one of this many parts of the memory of a query: the rest of the plan needs some, too. */
    private static final int PART_OF_QUERY = 2;

    private final Optional<LeafEngine> engine;
    private final long maxBuildBytes;
    private final NodeManager nodes;
    private final Conditions conditions;
    private final CanonicalJoin.Factory joins;
    private final CanonicalLeaf.Factory leaves;
    private final Optional<SeenPlans> seen;
    private final Cache<BlobKey, JoinRefusal> refused = Caffeine.newBuilder()
            .maximumSize(LISTED_REMEMBERED)
            .expireAfter(Expiry.<BlobKey, JoinRefusal>writing((joins, reason) -> reason == JoinRefusal.NOT_LISTED ? NOT_LISTED_FOR : LISTED_FOR))
            .build();
    private final Cache<BlobKey, Choice> choices = Caffeine.newBuilder().maximumSize(LISTED_REMEMBERED).expireAfterWrite(LISTED_FOR).build();

    /**
     * What the coordinator knows about joins after it listed their tables.
     *
     * @param fact the place of the largest table among the inputs of the tree
     * @param buildBytes of the files of all others
     */
    record Choice(int fact, long buildBytes)
    {}

    @Inject
    JoinAdmissions(FragmentParts parts, Conditions conditions, CanonicalJoin.Factory joins, CanonicalLeaf.Factory leaves, NodeManager nodes)
    {
        this.engine = parts.engine();
        this.maxBuildBytes = parts.maxDimensionBytes() * FragmentParts.DIMENSION_PART;
        this.nodes = requireNonNull(nodes, "nodes is null");
        this.conditions = requireNonNull(conditions, "conditions is null");
        this.seen = parts.plans();
        this.joins = requireNonNull(joins, "joins is null");
        this.leaves = requireNonNull(leaves, "leaves is null");
    }

    /**
     * Whether joins are to be replaced by a scan.
     *
     * @param groups the aggregation over them
     */
    boolean isAdmitted(JoinTree tree, Leaf groups, ConnectorSession session)
    {
        BlobKey form = form(tree, groups, session.getStartTime(), false);
        boolean before = seen.filter(plans -> plans.add(form)).isPresent();
        return before || FragmentSessionProperties.joinAdmission(session) == JoinAdmission.ALWAYS;
    }

    /**
     * Whether the memory of the session's queries has room for build sides on all workers. The engine counts each worker's.
     *
     * @param fileBytes of all tables that become build sides
     */
    boolean fitsQuery(long fileBytes, ConnectorSession session)
    {
        long each = Math.min(fileBytes * DECODED, maxBuildBytes);
        return engine.isPresent() && each * nodes.getWorkerNodes().size() <= engine.get().maxTotalMemoryBytes(session) / PART_OF_QUERY;
    }

    /**
     * Identifies joins over the same partitions.
     *
     * @param groups the aggregation over them
     */
    BlobKey overPartitions(JoinTree tree, Leaf groups, ConnectorSession session)
    {
        return form(tree, groups, session.getStartTime(), true);
    }

    /** Remembers for some minutes that joins were refused after their tables were listed, so that the next plans do not list the same partitions again. */
    void refuse(BlobKey joins, JoinRefusal reason)
    {
        refused.put(joins, reason);
    }

    /** Returns why the joins were refused. */
    Optional<JoinRefusal> refusal(BlobKey joins)
    {
        return Optional.ofNullable(refused.getIfPresent(joins));
    }

    /** Remembers for some minutes which table was the largest, so that the next plans list only the others, or none if these do not fit the query's memory. */
    void chose(BlobKey joins, Choice choice)
    {
        choices.put(joins, choice);
    }

    /** Returns the choice for these joins, if {@link #chose} was called for them in the last minutes. */
    Optional<Choice> choice(BlobKey joins)
    {
        return Optional.ofNullable(choices.getIfPresent(joins));
    }

    /*
     * Tables by name, not by their files; without conjuncts that follow the clock. Windows that move are the same plan: ranges of times do not count, and
     * conjuncts on partition columns only if the form is to identify the partitions, too. Of most of these, only the partitions are left in the plan.
     */
    private BlobKey form(JoinTree tree, Leaf groups, long startMillis, boolean partitions)
    {
        Set<VariableReferenceExpression> ofPartitions = ofPartitions(tree);
        List<CanonicalInput> inputs = new ArrayList<>();
        for (JoinInput input : tree.inputs()) {
            Leaf leaf = input.leaf().withConjuncts(input.leaf().conjuncts().stream()
                    .filter(conjunct -> isOnly(ofPartitions, conjunct)
                            ? partitions
                            : !ClockConstants.in(conjunct, startMillis) && !conditions.isWindow(conjunct))
                    .toList());
            HiveTableLayoutHandle layout = EyrieLayoutHandle.layout(input.scan());
            String table = layout.getSchemaTableName() + (partitions ? "/" + partitions(layout) : "");
            inputs.add(CanonicalInput.of(leaf, leaves.of(leaf), List.of()).named(table));
        }
        CanonicalJoin join = joins.of(tree.rows(), inputs);
        return leaves.over(join, groups, column -> tree.rows().outputs().get(JoinHandle.place(column))).hash();
    }

    private static String partitions(HiveTableLayoutHandle layout)
    {
        List<String> names = layout.getPartitions().orElse(List.of()).stream().map(HivePartition::getPartitionId)
                .map(PartitionNameWithVersion::getPartitionName)
                .toList();
        return names.size() + "/" + names.hashCode();
    }

    private static boolean isOnly(Set<VariableReferenceExpression> variables, RowExpression expression)
    {
        return expression instanceof VariableReferenceExpression
                ? variables.contains(expression)
                : expression.getChildren().stream().allMatch(child -> isOnly(variables, child));
    }

    /* Returns the variables of partition columns, and those that are joined with them: the engine derives conditions on one from those on another. */
    private static Set<VariableReferenceExpression> ofPartitions(JoinTree tree)
    {
        Set<VariableReferenceExpression> found = new HashSet<>();
        List<EquiJoinClause> equalities = new ArrayList<>(tree.rows().equalities().toList());
        for (JoinInput input : tree.inputs()) {
            input.leaf().columns().forEach((variable, column) -> {
                if (column instanceof HiveColumnHandle hive && hive.isPartitionKey()) {
                    found.add(variable);
                }
            });
            input.leaf().projections().forEach(output -> {
                if (output.expression() instanceof VariableReferenceExpression variable) {
                    equalities.add(new EquiJoinClause(output.variable(), variable));
                }
            });
        }
        List<EquiJoinClause> more;
        do {
            more = equalities.stream().filter(pair -> found.contains(pair.getLeft()) != found.contains(pair.getRight())).toList();
            more.forEach(pair -> found.addAll(List.of(pair.getLeft(), pair.getRight())));
        }
        while (!more.isEmpty());
        return found;
    }

    /** Whether anything but the fact's own conditions follows the clock: such joins are not computed again. The fact's conditions may be proved. */
    boolean followsClock(JoinTree tree, Leaf groups, ConnectorSession session)
    {
        long start = session.getStartTime();
        Leaf fact = tree.inputs().get(0).leaf();
        return Stream.concat(
                tree.inputs().stream().skip(1).map(JoinInput::leaf),
                Stream.of(groups, fact.withConjuncts(List.of()))).anyMatch(leaf -> ClockConstants.in(leaf, start))
                || expressions(tree.rows()).anyMatch(expression -> ClockConstants.in(expression, start));
    }

    private static Stream<RowExpression> expressions(JoinRows rows)
    {
        return rows.stages().stream().flatMap(stage -> Stream.of(
                stage.conjuncts().stream(),
                stage.expressions().stream(),
                stage.build().stream().flatMap(JoinAdmissions::expressions)).flatMap(all -> all));
    }
}
