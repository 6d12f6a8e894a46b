// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.select;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.common.predicate.ValueSet;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveFileSplit;
import com.facebook.presto.hive.HiveType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

import static com.facebook.presto.common.type.DoubleType.DOUBLE;
import static com.facebook.presto.common.type.IntegerType.INTEGER;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType.REGULAR;
import static io.airlift.slice.Slices.utf8Slice;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class SelectRulesTest
{
    private static final HiveColumnHandle ID = column("id", HiveType.HIVE_INT, INTEGER, 0);
    private static final HiveColumnHandle NAME = column("name", HiveType.HIVE_STRING, VARCHAR, 1);
    private static final HiveColumnHandle PRICE = column("price", HiveType.HIVE_DOUBLE, DOUBLE, 2);
    private static final Optional<byte[]> TAG = Optional.of("eyrie\u0001tag".getBytes(UTF_8));
    private static final Domain POSITIVE = Domain.create(ValueSet.ofRanges(Range.greaterThan(INTEGER, 0L)), false);

    @Test
    void numbersGuardAndAreNotSent()
    {
        SelectRules.SelectDecision decision = decide(whole(TAG), schema(), List.of(ID), Map.of(ID, POSITIVE));
        assertThat(decision.reason()).isEmpty();
        assertThat(decision.pushed()).isEqualTo(TupleDomain.all());
    }

    @Test
    void textThatIsNotDelimited()
    {
        Properties json = schema();
        json.setProperty("serialization.lib", "org.apache.hive.hcatalog.data.JsonSerDe");
        assertReason(PlainReason.FORMAT, decide(whole(TAG), json, List.of(ID), Map.of(ID, POSITIVE)));
    }

    @Test
    void plainValuesAreSent()
    {
        Domain names = Domain.multipleValues(VARCHAR, List.of(utf8Slice("a b"), utf8Slice("10")));
        SelectRules.SelectDecision decision = decide(whole(TAG), schema(), List.of(ID, NAME), Map.of(ID, POSITIVE, NAME, names));
        assertThat(decision.reason()).isEmpty();
        assertThat(decision.pushed()).isEqualTo(TupleDomain.withColumnDomains(Map.of(NAME, names)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " a", "it's", "\"a", "a|b", "\\N", "\u00fc", "a\r"})
    void valueThatTheStoreMayChange(String value)
    {
        assertReason(PlainReason.COLUMNS, decide(whole(TAG), schema(), List.of(NAME), Map.of(NAME, Domain.singleValue(VARCHAR, utf8Slice(value)))));
    }

    @Test
    void stringsWhoseValuesThePredicateDoesNotName()
    {
        Domain range = Domain.create(ValueSet.ofRanges(Range.greaterThan(VARCHAR, utf8Slice("a"))), false);
        Domain orNull = Domain.create(ValueSet.of(VARCHAR, utf8Slice("a")), true);
        for (Domain domain : List.of(range, orNull, Domain.notNull(VARCHAR), Domain.onlyNull(VARCHAR), Domain.all(VARCHAR))) {
            assertReason(PlainReason.COLUMNS, decide(whole(TAG), schema(), List.of(ID, NAME), Map.of(ID, POSITIVE, NAME, domain)));
        }
    }

    @Test
    void emptyLinesThatThePredicateLetsPass()
    {
        assertReason(PlainReason.UNGUARDED, decide(whole(TAG), schema(), List.of(ID), Map.of()));
        assertReason(PlainReason.UNGUARDED, decide(whole(TAG), schema(), List.of(), Map.of()));
        assertReason(PlainReason.UNGUARDED, decide(whole(TAG), schema(), List.of(ID), Map.of(ID, Domain.create(POSITIVE.getValues(), true))));
        assertReason(PlainReason.UNGUARDED, decide(whole(TAG), schema(), List.of(ID), Map.of(ID, Domain.onlyNull(INTEGER))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "escape.delim;~",
            "serialization.encoding;GBK",
            "skip.header.line.count;1",
            "skip.footer.line.count;1",
            "serialization.last.column.takes.rest;true",
            "textinputformat.record.delimiter;|",
            "line.delim;|",
            "field.delim;||",
            "field.delim;a",
            "field.delim;'\u0001'",
            "field.delim;'\"'",
            "field.delim;'-'",
    })
    void formatThatTheStoreReadsOtherwise(String key, String value)
    {
        Properties schema = schema();
        schema.setProperty(key, value);
        assertReason(PlainReason.FORMAT, decide(whole(TAG), schema, List.of(ID), Map.of(ID, POSITIVE)));
    }

    @Test
    void formatThatTheTableDoesNotState()
    {
        for (String key : List.of("field.delim", "line.delim")) {
            Properties schema = schema();
            schema.remove(key);
            assertReason(PlainReason.FORMAT, decide(whole(TAG), schema, List.of(ID), Map.of(ID, POSITIVE)));
        }
    }

    @Test
    void columnsThatAreNotWhereTheTableHasThem()
    {
        HiveColumnHandle moved = column("id", HiveType.HIVE_INT, INTEGER, 1);
        HiveColumnHandle added = column("later", HiveType.HIVE_INT, INTEGER, 7);
        HiveColumnHandle coerced = column("id", HiveType.HIVE_LONG, INTEGER, 0);
        for (HiveColumnHandle column : List.of(moved, added, coerced, PRICE)) {
            assertReason(PlainReason.COLUMNS, decide(whole(TAG), schema(), List.of(column), Map.of(column, POSITIVE)));
        }
    }

    @Test
    void partsOfFilesAndFilesWithoutVersion()
    {
        HiveFileSplit part = new HiveFileSplit("s3://lake/t/a", 0, 50, 100, 1, TAG, Map.of(), 0);
        HiveFileSplit rest = new HiveFileSplit("s3://lake/t/a", 50, 50, 100, 1, TAG, Map.of(), 0);
        for (HiveFileSplit split : List.of(part, rest)) {
            assertReason(PlainReason.PART_OF_FILE, decide(split, schema(), List.of(ID), Map.of(ID, POSITIVE)));
        }
        assertReason(PlainReason.UNVERSIONED, decide(whole(Optional.empty()), schema(), List.of(ID), Map.of(ID, POSITIVE)));
    }

    @Test
    void wholeRowsOfWhichNoneIsLeftOut()
    {
        Properties schema = schema();
        schema.setProperty("columns", "id");
        schema.setProperty("columns.types", "int");
        assertReason(PlainReason.NO_GAIN, decide(whole(TAG), schema, List.of(ID), Map.of(ID, POSITIVE)));
    }

    private static void assertReason(PlainReason reason, SelectRules.SelectDecision decision)
    {
        assertThat(decision.reason()).contains(reason);
    }

    private static SelectRules.SelectDecision decide(HiveFileSplit split, Properties schema, List<HiveColumnHandle> columns,
            Map<HiveColumnHandle, Domain> domains)
    {
        return SelectRules.decide(split, schema, columns, TupleDomain.withColumnDomains(domains));
    }

    private static HiveFileSplit whole(Optional<byte[]> extra)
    {
        return new HiveFileSplit("s3://lake/t/a", 0, 100, 100, 1, extra, Map.of(), 0);
    }

    private static Properties schema()
    {
        Properties schema = new Properties();
        schema.putAll(Map.of("serialization.lib", "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe", "field.delim", "|", "line.delim", "\n",
                "serialization.format", "|", "columns", "id,name,price", "columns.types",
                "int:string:double"));
        return schema;
    }

    private static HiveColumnHandle column(String name, HiveType hiveType, Type type, int index)
    {
        return new HiveColumnHandle(name, hiveType, type.getTypeSignature(), index, REGULAR, Optional.empty(), Optional.empty());
    }
}
