// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.metastore.Column;
import io.eyrie.cache.mutation.FieldMutations;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static com.facebook.presto.common.type.BigintType.BIGINT;

final class EntryKeyTest
{
    static Stream<Object> details()
    {
        Column column = new Column("ds", HiveType.HIVE_LONG, Optional.of("comment"), Optional.of("metadata"));
        return Stream.of(List.of("2021-01-01", "de"), "2021-01-01", Optional.of("PRINCIPAL"), new Predicates(Map.of(column, Domain.singleValue(BIGINT,
                1L))));
    }

    @ParameterizedTest
    @MethodSource("details")
    void everyFieldTells(Object detail)
    {
        Subject other = new Subject("db", "t", () -> 1, () -> {});
        FieldMutations mutations = new FieldMutations();
        if (detail instanceof Predicates) {
            mutations.excusing("Column.typeMetadata", "partitions are chosen by a column's name and the values of its type");
        }
        mutations
                .replacing(Subject.class, subject -> other)
                .replacing(HiveType.class, type -> HiveType.HIVE_DOUBLE)
                .replacing(Domain.class, domain -> Domain.singleValue(BIGINT, 2L))
                .assertEachTells(new EntryKey(new Subject("db", "t", () -> 1, () -> {}), new MetastoreView("alice", true), EntryKind.PARTITION,
                        detail),
                        key -> key);
    }
}
