package io.eyrie.presto.select;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.common.type.VarcharType;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveFileSplit;
import io.airlift.slice.Slice;
import io.eyrie.presto.version.SplitEtag;

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

/** Decides from a split, its table and the predicate whether the store's rows would be the reader's. Does no I/O. */
final class SelectRules
{
    /*
     * The store splits CSV, Hive delimited text. They differ in
     * quotes      Hive knows none. The request names a character that no text has as the quote.
     * lines       Hive also ends a line at a lone CR. The table has to say that it does not: line.delim is \n.
     * ranges      Whole files alone.
     * empty lines A row to Hive, nothing to the store. Selected only if the predicate lets no such row pass: one domain without NULL (and without '').
     * short lines Fields that are missing are NULL to Hive, '' to the store. The same for every type but strings.
     * output      Values with white space before them, CR or the delimiter are quoted: NULL with quotes and without for every type but strings. Strings are
     *             asked for only where the predicate names their values, all of them plain: what came changed is none of them, and the engine drops it.
     * predicates  Only those on strings are sent, as = and IN of plain values. Others are a CASE that stores refuse, or compare in a type of their own.
     */
    private static final Set<String> FIXED_TYPES = Set.of("boolean", "tinyint", "smallint", "int", "bigint", "date");
    private static final Pattern DECIMAL = Pattern.compile("decimal(\\(\\d+,\\d+\\))?");
    // no letter or digit, nothing that values or requests are written with
    private static final Pattern DELIMITER = Pattern.compile("[\t!#$%&*,/:;<=>?@^_`|~]");
    private static final Pattern PLAIN_VALUE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9 ._-]{0,127}");
    private static final int MOST_VALUES = 100;
    /** What changes how the reader cuts or decodes lines. */
    private static final List<String> UNLIKE = List.of(
            ESCAPE_CHAR,
            "serialization.encoding",
            "serialization.escape.crlf",
            "serialization.last.column.takes.rest",
            "skip.footer.line.count",
            "skip.header.line.count",
            "textinputformat.record.delimiter");

    /**
     * What became of a split.
     *
     * @param reason why it is read plainly; empty if the store may be asked
     * @param pushed the part of the predicate that the store may apply
     */
    record Decision(Optional<PlainReason> reason, TupleDomain<HiveColumnHandle> pushed)
    {
        private static Decision plain(PlainReason reason)
        {
            return new Decision(Optional.of(reason), TupleDomain.all());
        }
    }

    private SelectRules()
    {}

    /**
     * @param schema the serde's properties and the columns of the split's partition
     * @param predicate what every row of the answer satisfies; the engine checks it again
     */
    static Decision decide(HiveFileSplit split, Properties schema, List<HiveColumnHandle> columns, TupleDomain<HiveColumnHandle> predicate)
    {
        if (split.getStart() != 0 || split.getLength() != split.getFileSize() || !split.getCustomSplitInfo().isEmpty()) {
            return Decision.plain(PlainReason.PART_OF_FILE);
        }
        if (SplitEtag.decode(split.getExtraFileInfo()).isEmpty()) {
            return Decision.plain(PlainReason.UNVERSIONED);
        }
        if (!isLikeCsv(schema)) {
            return Decision.plain(PlainReason.FORMAT);
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
                return Decision.plain(PlainReason.COLUMNS);
            }
            guarded |= string || !domain.isNullAllowed();
            if (string) {
                pushed.put(column, domain);
            }
        }
        if (!guarded) {
            return Decision.plain(PlainReason.UNGUARDED);
        }
        if (pushed.isEmpty() && columns.size() == names(schema).length) {
            return Decision.plain(PlainReason.NO_GAIN);
        }
        return new Decision(Optional.empty(), TupleDomain.withColumnDomains(pushed));
    }

    private static boolean isLikeCsv(Properties schema)
    {
        return DELIMITER.matcher(schema.getProperty(FIELD_DELIM, "")).matches()
                && schema.getProperty(LINE_DELIM, "").equals("\n")
                && UNLIKE.stream().allMatch(key -> schema.getProperty(key) == null);
    }

    /* The field's place in the file is the handle's index only where the partition has the table's column there. */
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

    /* A few values, each of which the store gives back as it is. */
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
