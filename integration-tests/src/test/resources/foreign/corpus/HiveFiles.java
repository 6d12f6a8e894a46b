// SPDX-License-Identifier: Apache-2.0
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.ql.exec.FileSinkOperator.RecordWriter;
import org.apache.hadoop.hive.ql.io.HiveOutputFormat;
import org.apache.hadoop.hive.ql.io.orc.OrcOutputFormat;
import org.apache.hadoop.hive.ql.io.orc.OrcSerde;
import org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat;
import org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe;
import org.apache.hadoop.hive.serde2.AbstractSerDe;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;

import java.nio.file.Files;
import java.sql.Date;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Writes the corpus's files of Hive: its output formats and serdes for ORC and Parquet. Run by ./generate with Presto's hive-apache. */
public final class HiveFiles
{
    private static final String VERSION = "Hive 3.0 (hive-apache 3.0.0-10)";
    private static final String SCALAR_NAMES = "id,flag,tiny,small,whole,single,twice,words,bytes,day,moment,short_decimal,middle_decimal,long_decimal";
    private static final String SCALAR_TYPES = "bigint:boolean:tinyint:smallint:int:float:double:string:binary:date:timestamp:decimal(9,2):decimal(18,3):decimal(30,4)";
    private static final String STRUCT = "struct<a:bigint,b:string>";
    private static final String NESTED_NAMES = "id,l,m,s,ll,lm,ls,ml,mm,ms,sl,sm,ss,deep";
    private static final String NESTED_TYPES = String.join(":", "bigint", "array<bigint>", "map<string,bigint>", STRUCT, "array<array<int>>", "array<map<string,double>>",
            "array<" + STRUCT + ">", "map<string,array<string>>", "map<bigint,map<string,bigint>>", "map<string," + STRUCT + ">", "struct<x:array<bigint>,y:string>",
            "struct<x:map<string,bigint>,y:boolean>", "struct<x:" + STRUCT + ",y:double>", "array<map<string,struct<x:array<decimal(20,3)>,y:struct<day:date,moment:timestamp>>>>");

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

    private void both(String name, int rows, String about, String... options)
            throws Exception
    {
        scalars(name, rows, about, options);
        List<List<?>> nested = new ArrayList<>();
        for (int i = 0; i < rows * 3 / 4; i++) {
            nested.add(nested(i));
        }
        write("nested-" + name, "NESTED", NESTED_NAMES, NESTED_TYPES, nested, about, options);
    }

    private void scalars(String name, int rows, String about, String... options)
            throws Exception
    {
        List<List<?>> scalars = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            scalars.add(scalars(i));
        }
        write("scalars-" + name, "SCALARS", SCALAR_NAMES, SCALAR_TYPES, scalars, about, options);
    }

    private void write(String name, String columns, String names, String types, List<List<?>> rows, String about, String... options)
            throws Exception
    {
        java.util.TimeZone.setDefault(java.util.TimeZone.getTimeZone(options.length > 0 && options[0].equals("@zone") ? options[1] : "UTC"));
        boolean orc = name.endsWith(".orc");
        java.nio.file.Path file = corpus.resolve("hive/" + name.toLowerCase(java.util.Locale.ROOT));
        Files.deleteIfExists(file);
        JobConf configuration = new JobConf();
        configuration.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
        Properties properties = new Properties();
        properties.setProperty("columns", names);
        properties.setProperty("columns.types", types);
        for (int i = 0; i < options.length; i += 2) {
            configuration.set(options[i], options[i + 1]);
            properties.setProperty(options[i], options[i + 1]);
        }
        AbstractSerDe serde = orc ? new OrcSerde() : new ParquetHiveSerDe();
        serde.initialize(configuration, properties);
        StructObjectInspector inspector = (StructObjectInspector) TypeInfoUtils.getStandardJavaObjectInspectorFromTypeInfo(
                TypeInfoUtils.getTypeInfoFromTypeString("struct<" + struct(names, types) + ">"));
        HiveOutputFormat<?, ?> format = orc ? new OrcOutputFormat() : new MapredParquetOutputFormat();
        RecordWriter writer = format.getHiveRecordWriter(configuration, new Path(file.toUri()), null, false, properties, Reporter.NULL);
        for (List<?> row : rows) {
            writer.write(serde.serialize(row, (ObjectInspector) inspector));
        }
        if (rows.isEmpty() && orc) {
            // of whose schema the writer learns with its first row
            writer.close(true);
        }
        else {
            writer.close(false);
        }
        if (!Files.exists(file)) {
            System.err.println("Not written: " + file);
            return;
        }
        written.add(String.join("\t", "hive/" + file.getFileName(), columns, VERSION, about));
    }

    private static String struct(String names, String types)
    {
        String[] columns = names.split(",");
        List<String> parts = new ArrayList<>();
        int depth = 0;
        StringBuilder type = new StringBuilder();
        for (char c : (types + ":").toCharArray()) {
            depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
            if (c == ':' && depth == 0) {
                parts.add(columns[parts.size()] + ":" + type);
                type.setLength(0);
            }
            else {
                type.append(c);
            }
        }
        return String.join(",", parts);
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

    private static List<?> nested(int i)
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
