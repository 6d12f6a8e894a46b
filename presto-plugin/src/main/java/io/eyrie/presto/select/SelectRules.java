// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.select;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.common.type.VarcharType;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveFileSplit;
import io.airlift.slice.Slice;
import io.eyrie.presto.version.SplitEtag;
import org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;

import static com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType.REGULAR;
import static org.apache.hadoop.hive.serde.serdeConstants.ESCAPE_CHAR;
import static org.apache.hadoop.hive.serde.serdeConstants.FIELD_DELIM;
import static org.apache.hadoop.hive.serde.serdeConstants.LINE_DELIM;
import static org.apache.hadoop.hive.serde.serdeConstants.LIST_COLUMNS;
import static org.apache.hadoop.hive.serde.serdeConstants.LIST_COLUMN_TYPES;
import static org.apache.hadoop.hive.serde.serdeConstants.SERIALIZATION_LIB;

/** Decides from a split, its table and the predicate whether S3 Select would return the same rows as the reader. Does no I/O. */
final class SelectRules
{
    /*
     * The store splits CSV, Hive delimited text. The differences are
     * quotes      Hive has none. The request sets the quote to a character that no text contains.
     * lines       Hive also ends a line at a lone CR. The table must declare that it does not: line.delim is \n.
     * ranges      Only whole files are selected from.
     * empty lines A row in Hive, nothing in the store. The predicate must reject such rows: one domain excludes NULL (and '').
     * short lines Missing fields are NULL in Hive, '' in the store. For all types except strings, these are the same.
     * output      The store quotes values with leading white space, CR or the delimiter. For all types except strings, Hive reads NULL with and without
     *             the quotes. Strings are requested only if the predicate lists their values, all of them plain: a value that the store changed is not
     *             in the list, so the engine drops it.
     * predicates  Only predicates on strings are sent, as = and IN of plain values. Others become a CASE that stores refuse, or compare in another type.
     */
    private static final Set<String> FIXED_TYPES = Set.of("boolean", "tinyint", "smallint", "int", "bigint", "date");
    private static final Pattern DECIMAL = Pattern.compile("decimal(\\(\\d+,\\d+\\))?");
    // no letter or digit, and no character that values or requests are written with
    private static final Pattern DELIMITER = Pattern.compile("[\t!#$%&*,/:;<=>?@^_`|~]");
    private static final Pattern PLAIN_VALUE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9 ._-]{0,127}");
    private static final int MOST_VALUES = 100;
    /** Properties that change how the reader splits or decodes lines. */
    private static final List<String> UNLIKE = List.of(
            ESCAPE_CHAR,
            "serialization.encoding",
            "serialization.escape.crlf",
            "serialization.last.column.takes.rest",
            "skip.footer.line.count",
            "skip.header.line.count",
            "textinputformat.record.delimiter");

    /**
     * The decision about a split.
     *
     * @param reason why the split is read plainly; empty if S3 Select may be used
     * @param pushed the part of the predicate that the store may apply
     */
    record SelectDecision(Optional<PlainReason> reason, TupleDomain<HiveColumnHandle> pushed)
    {
        private static SelectDecision plain(PlainReason reason)
        {
            return new SelectDecision(Optional.of(reason), TupleDomain.all());
        }
    }

    private SelectRules()
    {}

    /**
     * @param schema the serde's properties and the columns of the split's partition
     * @param predicate a condition that every row of the result satisfies; the engine checks it again
     */
    static SelectDecision decide(HiveFileSplit split, Properties schema, List<HiveColumnHandle> columns, TupleDomain<HiveColumnHandle> predicate)
    {
        if (split.getStart() != 0 || split.getLength() != split.getFileSize() || !split.getCustomSplitInfo().isEmpty()) {
            return SelectDecision.plain(PlainReason.PART_OF_FILE);
        }
        if (SplitEtag.decode(split.getExtraFileInfo()).isEmpty()) {
            return SelectDecision.plain(PlainReason.UNVERSIONED);
        }
        if (!isLikeCsv(schema)) {
            return SelectDecision.plain(PlainReason.FORMAT);
        }
        Map<HiveColumnHandle, Domain> domains = predicate.getDomains().orElse(Map.of());
        Map<HiveColumnHandle, Domain> pushed = new LinkedHashMap<>();
        boolean guarded = false;
        for (HiveColumnHandle column : columns) {
            String type = column.getHiveType().getHiveTypeName().toString();
            Domain domain = domains.getOrDefault(column, Domain.all(VarcharType.VARCHAR));
            boolean string = type.equals("string");
            if (!isOf(schema, column, type) || !(string || FIXED_TYPES.contains(type) || DECIMAL.matcher(type).matches()) || (string && !isPlain(
                    domain))) {
                return SelectDecision.plain(PlainReason.COLUMNS);
            }
            guarded |= string || !domain.isNullAllowed();
            if (string) {
                pushed.put(column, domain);
            }
        }
        if (!guarded) {
            return SelectDecision.plain(PlainReason.UNGUARDED);
        }
        if (pushed.isEmpty() && columns.size() == names(schema).length) {
            return SelectDecision.plain(PlainReason.NO_GAIN);
        }
        return new SelectDecision(Optional.empty(), TupleDomain.withColumnDomains(pushed));
    }

    private static boolean isLikeCsv(Properties schema)
    {
        return LazySimpleSerDe.class.getName().equals(schema.getProperty(SERIALIZATION_LIB))
                && DELIMITER.matcher(schema.getProperty(FIELD_DELIM, "")).matches()
                && schema.getProperty(LINE_DELIM, "").equals("\n")
                && UNLIKE.stream().allMatch(key -> schema.getProperty(key) == null);
    }

    /* The handle's index is the field's position in the file only if the partition has the table's column at that index. */
    private static boolean isOf(Properties schema, HiveColumnHandle column, String type)
    {
        String[] names = names(schema);
        String[] types = schema.getProperty(LIST_COLUMN_TYPES, "").split(":", -1);
        int index = column.getHiveColumnIndex();
        return column.getColumnType() == REGULAR && index >= 0 && index < names.length && types.length == names.length
                && names[index].equalsIgnoreCase(column.getName()) && types[index].equals(type);
    }

    private static String[] names(Properties schema)
    {
        return schema.getProperty(LIST_COLUMNS, "").split(",", -1);
    }

    /* A limited number of values, each of which the store returns unchanged. */
    private static boolean isPlain(Domain domain)
    {
        if (domain.isNullAllowed() || domain.getValues().isAll() || !(domain.getType() instanceof VarcharType)) {
            return false;
        }
        List<Range> ranges = domain.getValues().getRanges().getOrderedRanges();
        return !ranges.isEmpty() && ranges.size() <= MOST_VALUES && ranges.stream()
                .allMatch(range -> range.isSingleValue() && PLAIN_VALUE.matcher(((Slice) range.getSingleValue()).toStringUtf8()).matches());
    }
}
