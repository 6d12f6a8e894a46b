// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration.foreign;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A query of some files of a table with several predicates, each on another column; a row names the column and the file.
 *
 * @param files partitions
 * @param branches each selects the rows that satisfy one predicate, of files that {@code @files} stands for
 */
record DecidedQuery(List<String> files, List<String> branches)
{
    static final String FILES = "@files";

    DecidedQuery
    {
        files = List.copyOf(files);
        branches = List.copyOf(branches);
    }

    String sql()
    {
        String in = files.stream().map(file -> "'" + file + "'").collect(Collectors.joining(", ", "file IN (", ")"));
        return branches.stream().map(branch -> branch.replace(FILES, in)).collect(Collectors.joining(" UNION ALL "));
    }

    /** Whether it has one file and one predicate. */
    boolean isSingle()
    {
        return files.size() == 1 && branches.size() == 1;
    }

    /**
     * Returns two queries that together are this one: of half of the files, or with half of the predicates.
     *
     * @param ofFiles whether files are divided first; otherwise, only predicates are
     */
    Stream<DecidedQuery> halves(boolean ofFiles)
    {
        if (ofFiles && files.size() > 1) {
            int half = files.size() / 2;
            return Stream.of(new DecidedQuery(files.subList(0, half), branches), new DecidedQuery(files.subList(half, files.size()), branches));
        }
        int half = branches.size() / 2;
        return Stream.of(new DecidedQuery(files, branches.subList(0, half)), new DecidedQuery(files, branches.subList(half, branches.size())));
    }
}
