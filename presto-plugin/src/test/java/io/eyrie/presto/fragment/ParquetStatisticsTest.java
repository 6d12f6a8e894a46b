// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.ValueSet;
import com.facebook.presto.parquet.ParquetDataSourceId;
import com.facebook.presto.parquet.cache.MetadataReader;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static io.airlift.slice.Slices.utf8Slice;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Footers of other writers, as Presto's reader of footers passes them on. */
class ParquetStatisticsTest
{
    private static final long ROWS = 5;
    private static final String SIGNED = "parquet-mr version 1.8.1 (build 4aba4dae7bb0d4edbcf7923ae1339f28fd3f7fcf)";
    private static final String REUSING = "parquet-mr version 1.6.0";
    private static final PrimitiveType NAME = Types.optional(PrimitiveTypeName.BINARY).as(LogicalTypeAnnotation.stringType()).named("name");

    @Test
    void orderOfBytesIsTheWriters()
    {
        Domain names = domain(SIGNED, texts("Bézier", "Zwolle").setNull_count(0));
        assertThat(List.of("Basel", "Bern", "Bézier", "Zürich", "Zwolle")).allMatch(name -> names.includesNullableValue(utf8Slice(name)));
        assertThat(Domain.create(ValueSet.ofRanges(Range.greaterThan(VARCHAR, utf8Slice("Bern"))), false).contains(names)).isFalse();
        assertThat(names.isNullAllowed()).isFalse();
        assertThat(names.overlaps(Domain.singleValue(VARCHAR, utf8Slice("Aachen")))).isFalse();
    }

    @Test
    void equalBoundsAreOneText()
    {
        assertThat(domain(SIGNED, texts("Zürich", "Zürich").setNull_count(0))).isEqualTo(Domain.singleValue(VARCHAR, utf8Slice("Zürich")));
        assertThat(domain("parquet-rs version 53.0.0", texts("DE", "DE").setNull_count(2))).isEqualTo(Domain.create(ValueSet.of(VARCHAR, utf8Slice(
                "DE")), true));
    }

    @Test
    void writersThatReuseTheirBufferProveOnlyNulls()
    {
        for (String writer : new @Nullable String[] {REUSING, "parquet-mr", "", null}) {
            assertThat(domain(writer, texts("DE", "DE").setNull_count(0))).as("%s", writer).isEqualTo(Domain.notNull(VARCHAR));
            assertThat(domain(writer, texts("DE", "DE"))).as("%s", writer).isEqualTo(Domain.all(VARCHAR));
            assertThat(domain(writer, new Statistics().setNull_count(ROWS))).as("%s", writer).isEqualTo(Domain.onlyNull(VARCHAR));
        }
    }

    @Test
    void boundsOfNoOrderProveNothing()
    {
        assertThat(domain(SIGNED, texts("Zürich", "Zwolle").setNull_count(0)).getValues().isAll()).as("Presto ignores them, too").isTrue();
        assertThat(domain(SIGNED, new Statistics().setMin_value("a".getBytes(UTF_8)).setMax_value("b".getBytes(UTF_8)).setNull_count(0)))
                .as("Presto does not read these fields").isEqualTo(Domain.notNull(VARCHAR));
    }

    @Test
    void textsOfSeveralRowGroups()
    {
        Domain names = domain(SIGNED, texts("AT", "DE").setNull_count(0), texts("US", "US").setNull_count(1));
        assertThat(names.isNullAllowed()).isTrue();
        assertThat(List.of("AT", "DE", "US")).allMatch(name -> names.includesNullableValue(utf8Slice(name)));
        assertThat(List.of("AA", "FR", "UT")).noneMatch(name -> names.includesNullableValue(utf8Slice(name)));
    }

    private static Statistics texts(String min, String max)
    {
        return new Statistics().setMin(min.getBytes(UTF_8)).setMax(max.getBytes(UTF_8));
    }

    private static Domain domain(@Nullable String writer, Statistics... rowGroups)
    {
        ParquetMetadata footer = new ParquetMetadata(
                new FileMetaData(new MessageType("table", NAME), Map.of(), writer),
                List.of(rowGroups).stream().map(ParquetStatisticsTest::rows).toList());
        return ParquetStatistics.domain(footer, new ParquetDataSourceId("file"), NAME, VARCHAR).orElseThrow();
    }

    private static BlockMetaData rows(Statistics statistics)
    {
        BlockMetaData rows = new BlockMetaData();
        rows.setRowCount(ROWS);
        rows.addColumn(ColumnChunkMetaData.get(
                ColumnPath.get("name"),
                NAME,
                CompressionCodecName.SNAPPY,
                null,
                Set.of(),
                MetadataReader.readStats(statistics, PrimitiveTypeName.BINARY),
                4,
                0,
                ROWS,
                100,
                100));
        return rows;
    }
}
