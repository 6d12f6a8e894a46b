// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.SchemaTableName;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.base.Suppliers;
import com.google.inject.Inject;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import io.eyrie.fragment.key.CanonicalJoin;
import io.eyrie.fragment.key.CanonicalJoin.CanonicalInput;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.key.RowsDigest;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.fragment.result.DimensionContents;
import io.eyrie.fragment.result.DimensionContents.DimensionContent;
import io.eyrie.fragment.result.TableGenerations;
import io.eyrie.presto.fragment.JoinKeys.Dimension;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.handle.JoinHandle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/** Compiles the joined scans of this node, and computes their canonical forms. Thread-safe. */
final class JoinScans
{
    private final FragmentParts parts;
    private final BuildMemory memory;
    private final SplitVersions versions;
    private final JoinKeys keys;
    // a task has one layout object
    private final Cache<EyrieLayoutHandle, QueryProgram> programs = Caffeine.newBuilder().weakKeys().build();

    /** The program of a layout for one query, compiled when it is first needed. */
    private record QueryProgram(String queryId, Supplier<JoinProgram> program)
    {}

    @Inject
    JoinScans(FragmentParts parts, BuildMemory memory, SplitVersions versions, SplitKeys keys, CanonicalLeaf.Factory leaves,
            CanonicalJoin.Factory joins)
    {
        this.parts = requireNonNull(parts, "parts is null");
        this.memory = requireNonNull(memory, "memory is null");
        this.versions = requireNonNull(versions, "versions is null");
        this.keys = new JoinKeys(keys, leaves, joins);
    }

    CanonicalLeaf.Factory leaves()
    {
        return keys.leaves();
    }

    /** Returns the program of a layout and a session. Threads that need the same one wait while it is compiled. */
    JoinProgram program(EyrieLayoutHandle layout, ConnectorSession session, Supplier<Optional<List<Dimension>>> dimensions)
    {
        // does not hold the layout, by which the program is known as long as it is reachable
        JoinHandle join = layout.getJoin().orElseThrow();
        return requireNonNull(programs.asMap().compute(layout, (any, known) -> known != null && known.queryId().equals(session.getQueryId())
                ? known
                : new QueryProgram(session.getQueryId(), Suppliers.memoize(
                        () -> new JoinProgram(join, session, parts.runner(), memory, parts.joins(), input -> digest(dimensions.get(),
                                input)))))).program().get();
    }

    private Optional<RowsDigest> digest(Optional<List<Dimension>> dimensions, int input)
    {
        // known contents cost nothing
        return dimensions.map(all -> all.get(input - 1))
                .filter(dimension -> !dimension.grouped())
                .filter(dimension -> parts.contents().filter(contents -> contents.get(dimension.files().content()).isEmpty()).isPresent())
                .map(dimension -> new RowsDigest(CanonicalInput.channels(dimension.form())));
    }

    /**
     * Returns the canonical forms of dimensions by their contents. A dimension that does not fit into memory, or that is aggregated, is identified by its
     * files.
     *
     * @return empty if a dimension was not read yet
     */
    Optional<List<CanonicalInput>> contents(List<Dimension> dimensions)
    {
        List<CanonicalInput> inputs = new ArrayList<>();
        for (Dimension dimension : dimensions) {
            if (dimension.grouped()) {
                inputs.add(dimension.files());
                continue;
            }
            Optional<DimensionContent> known = parts.contents().flatMap(contents -> contents.get(dimension.files().content()));
            if (known.isEmpty()) {
                return Optional.empty();
            }
            inputs.add(known.get().digest().map(digest -> CanonicalInput.of(dimension.leaf(), dimension.form(), digest)).orElse(dimension.files()));
        }
        return Optional.of(inputs);
    }

    /** Remembers the contents of dimensions whose build sides are complete. */
    void remember(List<Dimension> dimensions, JoinProgram program, Function<SchemaTableName, Scope> scopes)
    {
        DimensionContents contents = parts.contents().orElseThrow();
        for (int i = 0; i < dimensions.size(); i++) {
            Dimension dimension = dimensions.get(i);
            BlobKey key = dimension.files().content();
            TableBuild build = program.build(i + 1);
            boolean found = build.content().isPresent() || build.table().isEmpty();
            if (found && !dimension.grouped() && contents.get(key).isEmpty()) {
                contents.put(key, new DimensionContent(build.content()), dimension.epoch(), scopes.apply(dimension.table()));
            }
        }
    }

    /**
     * Returns the dimensions, with the versions of all their files. Called before any of them is read.
     *
     * @return empty if no results are cached, if a version is not certain, or if the session's user may not read a file: then no result is looked up
     */
    Optional<List<Dimension>> dimensions(JoinHandle join, ConnectorSession session, Function<SchemaTableName, Scope> scopes)
    {
        Optional<TableGenerations> generations = parts.generations();
        return parts.contents().flatMap(contents -> keys.dimensions(join, session, contents.epoch(), versions::of, table -> generations.orElseThrow()
                .of(scopes.apply(table))));
    }

    /**
     * Returns the canonical form of a leaf over joins.
     *
     * @param fact the leaf over the fact's table, without the conjuncts that are proved for a split
     */
    CanonicalLeaf form(JoinHandle join, Leaf over, Leaf fact, List<CanonicalInput> dimensions)
    {
        return keys.form(join, over, fact, dimensions);
    }

    /** Compiles a leaf over the rows of joins, whose pages have all their variables. */
    Supplier<LeafRun> compiled(JoinHandle join, Leaf over, ConnectorSession session)
    {
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        Map<Integer, VariableReferenceExpression> places = new HashMap<>();
        over.columns().forEach((variable, column) -> places.put(JoinHandle.place(column), variable));
        List<VariableReferenceExpression> outputs = join.rows().outputs();
        ColumnHandle unread = new ColumnHandle() {};
        for (int i = 0; i < outputs.size(); i++) {
            VariableReferenceExpression variable = outputs.get(i);
            columns.put(places.getOrDefault(i, new VariableReferenceExpression(Optional.empty(), "#" + i, variable.getType())), unread);
        }
        return parts.runner().compile(
                new Leaf(columns, over.conjuncts(), over.definitions(), over.projections(), over.aggregation()), session);
    }
}
