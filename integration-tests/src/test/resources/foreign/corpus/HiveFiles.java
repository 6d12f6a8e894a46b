// SPDX-License-Identifier: Apache-2.0
import com.facebook.hive.orc.CompressionKind;
import com.facebook.hive.orc.OrcFile;
import com.facebook.hive.orc.Writer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.ql.exec.FileSinkOperator.RecordWriter;
import org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat;
import org.apache.hadoop.hive.ql.io.HiveOutputFormat;
import org.apache.hadoop.hive.ql.io.HiveSequenceFileOutputFormat;
import org.apache.hadoop.hive.ql.io.RCFileOutputFormat;
import org.apache.hadoop.hive.ql.io.avro.AvroContainerOutputFormat;
import org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat;
import org.apache.hadoop.hive.ql.io.orc.OrcSerde;
import org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat;
import org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.OpenCSVSerde;
import org.apache.hadoop.hive.serde2.avro.AvroSerDe;
import org.apache.hadoop.hive.serde2.columnar.ColumnarSerDe;
import org.apache.hadoop.hive.serde2.columnar.LazyBinaryColumnarSerDe;
import org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hive.hcatalog.data.JsonSerDe;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** Writes the corpus's files of Hive, by its output formats and serdes, and of Facebook's Hive in DWRF. Run by ./generate with Presto's hive-apache and hive-dwrf. */
public final class HiveFiles
{
    private static final String VERSION = "Hive 3.0 (hive-apache 3.0.0-10)";
    private static final String STRUCT = "struct<a:bigint,b:string>";
    private static final List<String> SCALARS = List.of("id bigint", "flag boolean", "tiny tinyint", "small smallint", "whole int", "single float", "twice double", "words string",
            "bytes binary", "day date", "moment timestamp", "short_decimal decimal(9,2)", "middle_decimal decimal(18,3)", "long_decimal decimal(30,4)");
    private static final List<String> NESTED = List.of("id bigint", "l array<bigint>", "m map<string,bigint>", "s " + STRUCT, "ll array<array<int>>", "lm array<map<string,double>>",
            "ls array<" + STRUCT + ">", "ml map<string,array<string>>", "mm map<bigint,map<string,bigint>>", "ms map<string," + STRUCT + ">", "sl struct<x:array<bigint>,y:string>",
            "sm struct<x:map<string,bigint>,y:boolean>", "ss struct<x:" + STRUCT + ",y:double>",
            "deep array<map<string,struct<x:array<decimal(20,3)>,y:struct<day:date,moment:timestamp>>>>");
    private static final List<String> ODD = List.of("id bigint", "words string", "parts array<string>", "pairs map<string,string>");
    private static final List<String> STRINGS = List.of("id string", "words string", "note string");
    /* What delimits fields, items or lines somewhere, and what stands for nothing. */
    private static final List<String> ODD_WORDS = Arrays.asList("plain", "", null, "a|b", "a,b;c", "k:v=w", "back\\slash", "ends with \\", "\\N", "none", "NULL", "new\nline", "carriage\rreturn",
            "tab\there", "\001one\002two\003", "a \"quote\"", "'single'", "\u00e4 \u4e16 \ud83d\ude00", " blanks ", "\u00a0", "a\000b", "\\n\\t", "#", "[1]{2}");
    private static final String CODEC = "mapreduce.output.fileoutputformat.compress.codec";
    private static final String CODECS = "org.apache.hadoop.io.compress.";

    /* Of a reader, too. */
    private static final List<String> OF_SERDE = List.of("field.delim", "collection.delim", "colelction.delim", "mapkey.delim", "escape.delim", "serialization.null.format",
            "serialization.escape.crlf", "separatorChar", "quoteChar", "escapeChar");

    /** Presto's name of a format, which is the extension of its files, and Hive's classes for it. */
    private enum Format
    {
        ORC(OrcSerde::new, OrcOutputFormat::new),
        PARQUET(ParquetHiveSerDe::new, MapredParquetOutputFormat::new),
        RCTEXT(ColumnarSerDe::new, RCFileOutputFormat::new),
        RCBINARY(LazyBinaryColumnarSerDe::new, RCFileOutputFormat::new),
        SEQUENCEFILE(LazySimpleSerDe::new, HiveSequenceFileOutputFormat::new),
        TEXTFILE(LazySimpleSerDe::new, HiveIgnoreKeyTextOutputFormat::new),
        JSON(JsonSerDe::new, HiveIgnoreKeyTextOutputFormat::new),
        CSV(OpenCSVSerde::new, HiveIgnoreKeyTextOutputFormat::new),
        AVRO(AvroSerDe::new, AvroContainerOutputFormat::new);

        private final Callable<AbstractSerDe> serde;
        private final Callable<HiveOutputFormat<?, ?>> output;

        Format(Callable<AbstractSerDe> serde, Callable<HiveOutputFormat<?, ?>> output)
        {
            this.serde = serde;
            this.output = output;
        }

        static Format of(String file)
        {
            return valueOf(file.replaceFirst("[.](gz|bz2|deflate)$", "").replaceFirst(".*[.]", "").toUpperCase(Locale.ROOT));
        }

        String extension()
        {
            return "." + name().toLowerCase(Locale.ROOT);
        }
    }

    private final java.nio.file.Path corpus;
    private final List<String> written = new ArrayList<>();

    private interface Value
    {
        Object at(int i);
    }

    private HiveFiles(java.nio.file.Path corpus)
    {
        this.corpus = corpus;
    }

    public static void main(String[] arguments)
            throws Exception
    {
        HiveFiles files = new HiveFiles(java.nio.file.Path.of(arguments[0]));
        files.orc();
        files.parquet();
        files.columnsAndLines();
        files.delimiters();
        files.records();
        files.dwrf();
        Files.write(files.corpus.resolve("hive/written.tsv"), files.written);
    }

    private void orc()
            throws Exception
    {
        for (String codec : List.of("NONE", "ZLIB", "SNAPPY", "LZO", "LZ4")) {
            both(codec + ".orc", 40, "compression", "orc.compress", codec);
        }
        for (String version : List.of("0.11", "0.12")) {
            both("version" + version.charAt(3) + "-direct.orc", 40, "ORC version, no dictionaries", "hive.exec.orc.write.format", version, "hive.exec.orc.dictionary.key.size.threshold", "0");
            both("version" + version.charAt(3) + "-dictionary.orc", 40, "ORC version, dictionaries", "hive.exec.orc.write.format", version, "hive.exec.orc.dictionary.key.size.threshold", "1");
        }
        both("no-index.orc", 40, "no row index", "orc.create.index", "false");
        both("bloom.orc", 40, "bloom filters", "orc.bloom.filter.columns", "id,words,whole,day,moment", "orc.bloom.filter.fpp", "0.01");
        scalars("stride.orc", 2500, "index entries of 1,000 rows", "orc.row.index.stride", "1000");
        both("zero.orc", 0, "no rows");
        both("one.orc", 1, "one row");
    }

    private void parquet()
            throws Exception
    {
        for (String codec : List.of("UNCOMPRESSED", "SNAPPY", "GZIP")) {
            both(codec + ".parquet", 40, "compression", "parquet.compression", codec);
        }
        for (String version : List.of("v1", "v2")) {
            both(version + "-plain.parquet", 40, "version of pages, no dictionaries", "parquet.writer.version", version, "parquet.enable.dictionary", "false");
            both(version + "-dictionary.parquet", 40, "version of pages", "parquet.writer.version", version);
        }
        scalars("pages.parquet", 400, "small pages, dictionaries that overflow", "parquet.page.size", "128", "parquet.dictionary.page.size", "64");
        scalars("zone.parquet", 40, "INT96 by a writer in Tokyo", "@zone", "Asia/Tokyo");
        both("zero.parquet", 0, "no rows");
        both("one.parquet", 1, "one row");
    }

    private void columnsAndLines()
            throws Exception
    {
        for (Format format : List.of(Format.RCTEXT, Format.RCBINARY, Format.SEQUENCEFILE, Format.TEXTFILE)) {
            String extension = format.extension();
            both("none" + extension, 40, "no compression");
            scalars("zero" + extension, 0, "no rows");
            both("deflate" + extension + (format == Format.TEXTFILE ? ".deflate" : ""), 40, "compression", CODEC, CODECS + "DefaultCodec");
        }
        for (Format format : List.of(Format.RCTEXT, Format.RCBINARY)) {
            both("groups" + format.extension(), 40, "row groups of 7 rows", CODEC, CODECS + "DefaultCodec", "hive.io.rcfile.record.interval", "7");
            scalars("many" + format.extension(), 500, "row groups of some kilobytes, sync markers", "hive.io.rcfile.record.buffer.size", "2000");
        }
        both("blocks.sequencefile", 40, "compressed blocks", CODEC, CODECS + "BZip2Codec", "mapreduce.output.fileoutputformat.compress.type", "BLOCK");
        scalars("many.sequencefile", 500, "sync markers");
        both("gzip.textfile.gz", 40, "compression", CODEC, CODECS + "GzipCodec");
        scalars("bzip2.textfile.bz2", 40, "compression", CODEC, CODECS + "BZip2Codec");
    }

    private void delimiters()
            throws Exception
    {
        String[] bars = {"field.delim", "|", "collection.delim", ",", "colelction.delim", ",", "mapkey.delim", ":", "escape.delim", "\\"};
        both("bars.textfile", 40, "delimiters, escapes", bars);
        for (Format format : List.of(Format.TEXTFILE, Format.SEQUENCEFILE, Format.RCTEXT)) {
            String extension = format.extension();
            write("odd" + extension, "ODD", ODD, odd(), "strings with delimiters of the default");
            write("odd-bars" + extension, "ODD", ODD, odd(), "strings with delimiters and escapes", bars);
            write("odd-null" + extension, "ODD", ODD, odd(), "another null", "serialization.null.format", "none");
        }
        write("odd.rcbinary", "ODD", ODD, odd(), "strings with delimiters of other formats");
        write("odd-lines.textfile", "ODD", ODD, odd(), "escaped line ends", "escape.delim", "\\", "serialization.escape.crlf", "true");
        write("odd-empty.textfile", "ODD", ODD, odd(), "empty strings are null", "serialization.null.format", "");
        write("odd-tabs.textfile.gz", "ODD", ODD, odd(), "tabs between fields, compression", "field.delim", "\t", CODEC, CODECS + "GzipCodec");
    }

    private void records()
            throws Exception
    {
        both("none.json", 11, "Hive's own JSON");
        scalars("nan.json", 40, "NaN");
        write("odd.json", "ODD", ODD, odd(), "characters that JSON escapes");
        write("gzip.json.gz", "ODD", ODD, odd(), "compression", CODEC, CODECS + "GzipCodec");
        List<List<?>> strings = new ArrayList<>();
        for (List<?> row : odd()) {
            strings.add(Arrays.asList(row.get(0).toString(), row.get(1), some(strings.size(), "note " + strings.size())));
        }
        write("odd.csv", "STRINGS", STRINGS, strings, "quotes, delimiters and line ends in strings");
        write("odd-semicolons.csv", "STRINGS", STRINGS, strings, "another delimiter, quote and escape", "separatorChar", ";", "quoteChar", "'", "escapeChar", "\\");
        write("odd-tabs.csv.gz", "STRINGS", STRINGS, strings, "tabs, compression", "separatorChar", "\t", CODEC, CODECS + "GzipCodec");
        for (String codec : List.of("none", "deflate")) {
            String[] options = codec.equals("none") ? new String[] {"name", "corpus"} : new String[] {"name", "corpus", CODEC, CODECS + "DefaultCodec", "avro.output.codec", codec};
            avro("scalars-" + codec, "RECORDS", without(SCALARS, "tiny", "small"), SCALARS, rows(40), "compression", options);
            avro("nested-" + codec, "NESTED_RECORDS", without(NESTED, "mm"), NESTED, nested(30), "compression", options);
        }
        avro("scalars-zero", "RECORDS", without(SCALARS, "tiny", "small"), SCALARS, List.of(), "no rows", "name", "corpus");
        write("odd.avro", "ODD", ODD, odd(), "odd strings", "name", "corpus");
    }

    /* Which has no small integers, and strings alone as keys. */
    private void avro(String name, String shape, List<String> columns, List<String> all, List<List<?>> rows, String about, String... options)
            throws Exception
    {
        write(name + ".avro", shape, columns, values(columns, all, rows), about, options);
    }

    /* Which has no decimals and no dates. */
    private void dwrf()
            throws Exception
    {
        for (String codec : List.of("NONE", "ZLIB", "SNAPPY")) {
            dwrf(codec, 40, "compression", codec, 10_000);
        }
        dwrf("stride", 2500, "index entries of 1,000 rows", "ZLIB", 1000);
        dwrf("direct", 40, "no dictionaries", "ZLIB", 10_000, "hive.exec.orc.dictionary.key.numeric.size.threshold", "0", "hive.exec.orc.dictionary.key.string.size.threshold", "0");
        dwrf("dictionary", 40, "dictionaries", "ZLIB", 10_000, "hive.exec.orc.dictionary.key.numeric.size.threshold", "1", "hive.exec.orc.dictionary.key.string.size.threshold", "1");
        dwrf("fixed", 40, "integers of fixed length", "ZLIB", 10_000, "hive.exec.orc.use.vints", "false");
        dwrf("zero", 0, "no rows", "ZLIB", 10_000);
    }

    private void dwrf(String name, int rows, String about, String codec, int stride, String... options)
            throws Exception
    {
        String[] dropped = {"day", "short_decimal", "middle_decimal", "long_decimal", "deep"};
        dwrf("scalars-" + name, "SIMPLE", without(SCALARS, dropped), values(without(SCALARS, dropped), SCALARS, rows(rows)), about, codec, stride, options);
        dwrf("nested-" + name, "SIMPLE_NESTED", without(NESTED, dropped), values(without(NESTED, dropped), NESTED, nested(Math.min(rows, 30))), about, codec, stride, options);
    }

    private void dwrf(String name, String shape, List<String> columns, List<List<?>> rows, String about, String codec, int stride, String... options)
            throws Exception
    {
        java.nio.file.Path file = fresh(name + ".dwrf");
        JobConf configuration = configuration();
        for (int i = 0; i < options.length; i += 2) {
            configuration.set(options[i], options[i + 1]);
        }
        Path path = new Path(file.toUri());
        Writer writer = OrcFile.createWriter(path.getFileSystem(configuration), path, configuration, inspector(columns), 1L << 28, CompressionKind.valueOf(codec), 1 << 18, stride);
        for (List<?> row : rows) {
            writer.addRow(row);
        }
        writer.close();
        written.add(String.join("\t", "hive/" + file.getFileName(), shape, "Facebook's Hive (hive-dwrf 0.8.7)", about, ""));
    }

    private void both(String name, int rows, String about, String... options)
            throws Exception
    {
        scalars(name, rows, about, options);
        write("nested-" + name, "NESTED", NESTED, nested(rows * 3 / 4), about, options);
    }

    private void scalars(String name, int rows, String about, String... options)
            throws Exception
    {
        write("scalars-" + name, "SCALARS", SCALARS, rows(rows), about, options);
    }

    private void write(String name, String shape, List<String> columns, List<List<?>> rows, String about, String... options)
            throws Exception
    {
        java.util.TimeZone.setDefault(java.util.TimeZone.getTimeZone(options.length > 0 && options[0].equals("@zone") ? options[1] : "UTC"));
        Format format = Format.of(name);
        java.nio.file.Path file = fresh(name);
        JobConf configuration = configuration();
        Properties properties = new Properties();
        properties.setProperty("columns", columns.stream().map(column -> column.replaceFirst(" .*", "")).collect(Collectors.joining(",")));
        properties.setProperty("columns.types", columns.stream().map(column -> column.replaceFirst("\\S+ ", "")).collect(Collectors.joining(":")));
        List<String> ofSerde = new ArrayList<>();
        for (int i = 0; i < options.length; i += 2) {
            configuration.set(options[i], options[i + 1]);
            properties.setProperty(options[i], options[i + 1]);
            if (OF_SERDE.contains(options[i])) {
                ofSerde.add(options[i] + "=" + URLEncoder.encode(options[i + 1], StandardCharsets.UTF_8));
            }
        }
        AbstractSerDe serde = format.serde.call();
        serde.initialize(configuration, properties);
        boolean isCompressed = Arrays.asList(options).contains(CODEC);
        RecordWriter writer = format.output.call().getHiveRecordWriter(configuration, new Path(file.toUri()), serde.getSerializedClass(), isCompressed, properties, Reporter.NULL);
        for (List<?> row : rows) {
            writer.write(serde.serialize(row, inspector(columns)));
        }
        // of whose schema ORC's writer learns with its first row
        writer.close(rows.isEmpty() && format == Format.ORC);
        if (!Files.exists(file)) {
            System.err.println("Not written: " + file);
            return;
        }
        written.add(String.join("\t", "hive/" + file.getFileName(), shape, VERSION, about, String.join("&", ofSerde)));
    }

    private java.nio.file.Path fresh(String name)
            throws Exception
    {
        java.nio.file.Path file = corpus.resolve("hive/" + name.toLowerCase(Locale.ROOT));
        Files.deleteIfExists(file);
        return file;
    }

    private static JobConf configuration()
    {
        JobConf configuration = new JobConf();
        configuration.set("fs.file.impl", RawLocalFileSystem.class.getName());
        return configuration;
    }

    private static StructObjectInspector inspector(List<String> columns)
    {
        return (StructObjectInspector) TypeInfoUtils.getStandardJavaObjectInspectorFromTypeInfo(TypeInfoUtils.getTypeInfoFromTypeString(
                columns.stream().map(column -> column.replaceFirst(" ", ":")).collect(Collectors.joining(",", "struct<", ">"))));
    }

    private static List<String> without(List<String> columns, String... names)
    {
        return columns.stream().filter(column -> !List.of(names).contains(column.replaceFirst(" .*", ""))).toList();
    }

    /* Of some of the columns of rows. */
    private static List<List<?>> values(List<String> columns, List<String> all, List<List<?>> rows)
    {
        List<List<?>> values = new ArrayList<>();
        for (List<?> row : rows) {
            List<Object> some = new ArrayList<>();
            columns.forEach(column -> some.add(row.get(all.indexOf(column))));
            values.add(some);
        }
        return values;
    }

    private static List<List<?>> rows(int number)
    {
        List<List<?>> rows = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            rows.add(scalars(i));
        }
        return rows;
    }

    private static List<List<?>> nested(int number)
    {
        List<List<?>> rows = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            rows.add(nestedRow(i));
        }
        return rows;
    }

    private static List<List<?>> odd()
    {
        List<List<?>> rows = new ArrayList<>();
        for (int i = 0; i < ODD_WORDS.size(); i++) {
            String word = ODD_WORDS.get(i);
            Map<String, String> pairs = new LinkedHashMap<>();
            pairs.put("k1", word);
            pairs.put(word == null ? "null" : word, "v");
            rows.add(Arrays.asList((long) i, word, some(i, Arrays.asList(word, "x", null, word)), some(i + 1, pairs)));
        }
        return rows;
    }

    private static <T> T some(int i, T value)
    {
        return i % 7 == 3 ? null : value;
    }

    private static Timestamp moment(int i)
    {
        return new Timestamp(34_315_506_789L + i * 97L * 3_600_000);
    }

    private static List<?> scalars(int i)
    {
        return Arrays.asList(
                (long) i,
                some(i, i % 3 == 0),
                some(i + 1, (byte) (i % 100 - 20)),
                some(i + 2, (short) (i % 300 * 100 - 500)),
                some(i + 3, i * 10_000 - 50_000),
                some(i + 4, i / 4f - 3),
                some(i + 5, i == 11 ? Double.NaN : i * 1.1),
                some(i, "word " + i % 9 + " \u00e4\u4e16"),
                some(i, new byte[] {(byte) i, 0, -1}),
                some(i, Date.valueOf(java.time.LocalDate.ofEpochDay(i - 12))),
                some(i, moment(i)),
                some(i, HiveDecimal.create(new java.math.BigDecimal(java.math.BigInteger.valueOf(i * 101 - 999), 2))),
                some(i, HiveDecimal.create(new java.math.BigDecimal(java.math.BigInteger.valueOf(i * 1_000_000_000_000L - 7), 3))),
                some(i, HiveDecimal.create(new java.math.BigDecimal(java.math.BigInteger.TEN.pow(20).multiply(java.math.BigInteger.valueOf(i)), 4))));
    }

    private static List<?> nestedRow(int i)
    {
        Value number = j -> j * 3L;
        Value word = j -> "w" + j;
        return Arrays.asList(
                (long) i,
                list(i, number),
                map(i, number),
                struct(i),
                list(i, j -> list(j, k -> k * 3)),
                list(i, j -> map(j, k -> k / 2.0)),
                list(i, HiveFiles::struct),
                map(i, j -> list(j, word)),
                some(i, maps(i)),
                map(i, HiveFiles::struct),
                some(i, Arrays.asList(list(i + 1, number), some(i, "w" + i))),
                some(i, Arrays.asList(map(i + 1, number), some(i, i % 2 == 0))),
                some(i, Arrays.asList(struct(i + 1), some(i, i / 4.0))),
                list(i, j -> map(j, k -> Arrays.asList(list(k, n -> HiveDecimal.create(new java.math.BigDecimal(java.math.BigInteger.valueOf(n), 3))),
                        some(k + 3, Arrays.asList(some(k + 5, Date.valueOf(java.time.LocalDate.ofEpochDay(k))), some(k, moment(k))))))));
    }

    private static Object struct(int i)
    {
        return some(i, Arrays.asList(some(i + 1, (long) i), some(i + 2, "b" + i)));
    }

    private static Object list(int i, Value value)
    {
        List<Object> list = new ArrayList<>();
        for (int j = 0; j < i % 4; j++) {
            list.add(some(i + j + 2, value.at(i + j)));
        }
        return some(i, list);
    }

    private static Object map(int i, Value value)
    {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int j = 0; j < i % 3; j++) {
            map.put("k" + j, some(i + j + 4, value.at(i + j)));
        }
        return some(i, map);
    }

    private static Map<Object, Object> maps(int i)
    {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int j = 0; j < i % 3; j++) {
            map.put((long) j, map(i + j, k -> k * 3L));
        }
        return map;
    }
}
