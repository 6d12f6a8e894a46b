// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.SchemaTableName;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.fragment.key.CanonicalJoin;
import io.eyrie.fragment.key.CanonicalJoin.CanonicalInput;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.key.SplitKey;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.presto.handle.DimensionHandle;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.JoinHandle;
import io.eyrie.presto.handle.LeafColumns;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/** Writes joins that a scan stands for, with the versions of all files of their dimensions, into the keys of fragment results. Thread-safe. */
record JoinKeys(SplitKeys keys, CanonicalLeaf.Factory leaves, CanonicalJoin.Factory joins)
{
    /** Determines the version of a split's file; empty if it is not certain, or if the session's user may not read the file. */
    interface Versions
    {
        Optional<FileVersion> of(ConnectorSession session, HiveSplit split, EyrieLayoutHandle layout);
    }

    /**
     * A dimension whose files' versions are certain.
     *
     * @param form the canonical form of its leaf
     * @param files its canonical form, by its files, their versions and the generation of its table
     * @param grouped whether it is aggregated before the join. The groups of equal rows may differ: sums of doubles depend on the order of the files
     * @param epoch the epoch of the contents of dimensions, from before this one is read
     */
    record Dimension(SchemaTableName table, Leaf leaf, CanonicalLeaf form, CanonicalInput files, boolean grouped, long epoch)
    {}

    /**
     * Returns the dimensions, with the versions of all their files.
     *
     * @param epoch the epoch of the contents of dimensions
     * @param generations returns the generation of a table
     * @return empty if a version is not certain, or if the session's user may not read a file: then no result is looked up
     */
    Optional<List<Dimension>> dimensions(JoinHandle join, ConnectorSession session, long epoch, Versions versions,
            Function<SchemaTableName, UUID> generations)
    {
        Set<Integer> grouped = join.rows().groupedInputs();
        List<Dimension> dimensions = new ArrayList<>();
        for (DimensionHandle dimension : join.dimensions()) {
            Leaf leaf = dimension.leaf();
            SplitKey.Builder shared = keys.shared(session, dimension.layout());
            List<SplitKey> splits = new ArrayList<>();
            for (EyrieSplit split : dimension.splits()) {
                Optional<FileVersion> version = versions.of(session, split, dimension.layout());
                if (version.isEmpty()) {
                    return Optional.empty();
                }
                splits.add(keys.of(shared.copy(), split, dimension.layout(), version.get(), LeafColumns.read(leaf)));
            }
            CanonicalLeaf form = leaves.of(leaf);
            SchemaTableName table = dimension.layout().getSchemaTableName();
            dimensions.add(new Dimension(table, leaf, form, CanonicalInput.of(leaf, form, splits).inGeneration(generations.apply(table)), grouped
                    .contains(dimensions.size()
                            + 1), epoch));
        }
        return Optional.of(dimensions);
    }

    /**
     * Returns the canonical form of a leaf over joins.
     *
     * @param fact the leaf over the fact's table, without the conjuncts that are proved for a split
     */
    CanonicalLeaf form(JoinHandle join, Leaf over, Leaf fact, List<CanonicalInput> dimensions)
    {
        List<CanonicalInput> inputs = Stream.concat(Stream.of(CanonicalInput.of(fact, leaves.of(fact), List.of())), dimensions.stream()).toList();
        return leaves.over(joins.of(join.rows(), inputs), over, join::variable);
    }
}
