// SPDX-License-Identifier: Apache-2.0
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Writes the corpus's files of Spark: ORC's and Parquet's Java writers, its Hive's serdes, its own JSON and CSV. Run by ./generate with testing/spark's class path. */
public final class SparkFiles
{
    private static final String COMPRESS = "hive.exec.compress.output";
    private static final String CODEC = "mapreduce.output.fileoutputformat.compress.codec";
    private static final String CODECS = "org.apache.hadoop.io.compress.";

    private final SparkSession spark;
    private final Path rows;
    private final Path corpus;
    private final List<String> written = new ArrayList<>();

    private SparkFiles(SparkSession spark, Path rows, Path corpus)
    {
        this.spark = spark;
        this.rows = rows;
        this.corpus = corpus;
    }

    public static void main(String[] arguments)
            throws IOException
    {
        Path temporary = Files.createTempDirectory("spark");
        SparkSession spark = SparkSession.builder()
                .master("local[1]")
                .config("spark.ui.enabled", false)
                .config("spark.local.dir", temporary.toString())
                .config("spark.sql.warehouse.dir", temporary.resolve("warehouse").toString())
                .config("spark.testing.memory", 512L << 20)
                .config("spark.sql.session.timeZone", "UTC")
                .config("spark.sql.parquet.inferTimestampNTZ.enabled", false)
                .config("spark.sql.files.openCostInBytes", 1L << 30)
                .enableHiveSupport()
                .config("spark.hadoop.javax.jdo.option.ConnectionURL", "jdbc:derby:memory:corpus;create=true")
                .config("spark.hadoop.datanucleus.schema.autoCreateAll", true)
                .config("spark.hadoop.hive.metastore.schema.verification", false)
                .config("spark.hadoop.hive.exec.scratchdir", temporary.resolve("scratch").toString())
                .getOrCreate();
        SparkFiles files = new SparkFiles(spark, Path.of(arguments[0]), Path.of(arguments[1]));
        files.orc();
        files.parquet();
        files.hive();
        files.texts();
        Files.write(files.corpus.resolve("spark/written.tsv"), files.written);
        spark.stop();
    }

    private void orc()
            throws IOException
    {
        for (String codec : List.of("none", "zlib", "snappy", "lzo", "lz4", "zstd")) {
            write("scalars", codec + ".orc", "compression", "compression", codec);
            write("nested", codec + ".orc", "compression", "compression", codec);
        }
        for (String version : List.of("0.11", "0.12")) {
            for (String threshold : List.of("0", "1")) {
                write("scalars", "version" + version.charAt(3) + "-" + threshold + ".orc", "ORC version, dictionaries", "orc.write.format", version, "orc.dictionary.key.threshold", threshold);
            }
            write("nested", "version" + version.charAt(3) + ".orc", "ORC version", "orc.write.format", version, "orc.dictionary.key.threshold", "1");
        }
        write("scalars", "no-index.orc", "no row index", "orc.create.index", "false", "orc.row.index.stride", "0");
        write("nested", "no-index.orc", "no row index", "orc.create.index", "false", "orc.row.index.stride", "0");
        write("many", "stride.orc", "many index entries, small blocks of compression", "orc.row.index.stride", "1000", "orc.compress.size", "1024");
        write("many", "stripes.orc", "small stripes", "orc.stripe.size", "1", "orc.stripe.row.count", "100", "orc.rows.between.memory.checks", "1");
        write("scalars", "stripes.orc", "small stripes", "orc.stripe.size", "1", "orc.stripe.row.count", "7", "orc.rows.between.memory.checks", "1");
        write("nested", "stripes.orc", "small stripes", "orc.stripe.size", "1", "orc.stripe.row.count", "4", "orc.rows.between.memory.checks", "1");
        for (String version : List.of("original", "utf8")) {
            write("scalars", "bloom-" + version + ".orc", "bloom filters", "orc.bloom.filter.columns", "id,words,whole,twice,day,moment,short_decimal,long_decimal,bytes",
                    "orc.bloom.filter.write.version", version, "orc.bloom.filter.fpp", "0.01");
        }
        write("scalars", "overflow.orc", "dictionaries given up", "orc.dictionary.key.threshold", "0.1", "orc.dictionary.early.check", "true");
        for (String rowsOf : List.of("zero", "extremes", "nulls", "no-nulls")) {
            write(rowsOf, "rows.orc", rowsOf);
        }
    }

    private void parquet()
            throws IOException
    {
        for (String codec : List.of("none", "snappy", "gzip", "zstd", "lz4_raw")) {
            write("scalars", codec + ".parquet", "compression", "compression", codec);
            write("nested", codec + ".parquet", "compression", "compression", codec);
        }
        for (String version : List.of("v1", "v2")) {
            write("scalars", version + ".parquet", "version of pages", "parquet.writer.version", version);
            write("nested", version + ".parquet", "version of pages", "parquet.writer.version", version);
            write("scalars", version + "-plain.parquet", "no dictionaries", "parquet.writer.version", version, "parquet.enable.dictionary", "false");
            write("nested", version + "-plain.parquet", "no dictionaries", "parquet.writer.version", version, "parquet.enable.dictionary", "false");
            write("many", version + "-pages.parquet", "small pages and dictionaries that overflow", "parquet.writer.version", version, "parquet.page.size", "64",
                    "parquet.dictionary.page.size", "64", "parquet.page.row.count.limit", "50", "parquet.page.size.row.check.min", "1");
            write("nested", version + "-pages.parquet", "small pages", "parquet.writer.version", version, "parquet.page.row.count.limit", "3");
        }
        write("scalars", "split.parquet", "BYTE_STREAM_SPLIT", "parquet.enable.bytestreamsplit", "true", "parquet.enable.dictionary", "false");
        write("many", "groups.parquet", "small row groups", "parquet.block.size", "1024", "parquet.block.row.count.limit", "100");
        write("scalars", "groups.parquet", "row groups of 7 rows", "parquet.block.row.count.limit", "7");
        write("nested", "groups.parquet", "row groups of 4 rows", "parquet.block.row.count.limit", "4");
        write("scalars", "bloom.parquet", "bloom filters", "parquet.bloom.filter.enabled", "true", "parquet.bloom.filter.expected.ndv", "40", "parquet.enable.dictionary", "false",
                "parquet.bloom.filter.max.bytes", "64");
        write("scalars", "checksums.parquet", "checksums of pages", "parquet.page.write-checksum.enabled", "true");
        write("scalars", "truncated.parquet", "truncated statistics", "parquet.statistics.truncate.length", "2", "parquet.columnindex.truncate.length", "2");
        for (String type : List.of("INT96", "TIMESTAMP_MICROS", "TIMESTAMP_MILLIS")) {
            spark.conf().set("spark.sql.parquet.outputTimestampType", type);
            write("scalars", "moment-" + type.toLowerCase(java.util.Locale.ROOT) + ".parquet", "type of timestamps");
            write("extremes", "moment-" + type.toLowerCase(java.util.Locale.ROOT) + ".parquet", "extremes", "datetimeRebaseMode", "CORRECTED");
        }
        spark.conf().unset("spark.sql.parquet.outputTimestampType");
        Dataset<Row> scalars = rows("scalars");
        write(scalars.withColumn("moment", scalars.col("moment").cast("timestamp_ntz")), "scalars", "local.parquet", "timestamps without time zone");
        spark.conf().set("spark.sql.parquet.writeLegacyFormat", true);
        write("scalars", "legacy.parquet", "legacy format: decimals as fixed bytes");
        write("nested", "legacy.parquet", "legacy format: lists and maps of Hive");
        spark.conf().set("spark.sql.parquet.writeLegacyFormat", false);
        for (String rowsOf : List.of("zero", "nulls", "no-nulls")) {
            write(rowsOf, "rows.parquet", rowsOf);
        }
    }

    /** By the serdes of Spark's Hive, 2.3. */
    private void hive()
            throws IOException
    {
        Map<String, String> serdes = new LinkedHashMap<>();
        serdes.put("rctext", "columnar.ColumnarSerDe' STORED AS RCFILE");
        serdes.put("rcbinary", "columnar.LazyBinaryColumnarSerDe' STORED AS RCFILE");
        serdes.put("sequencefile", "lazy.LazySimpleSerDe' STORED AS SEQUENCEFILE");
        serdes.put("textfile", "lazy.LazySimpleSerDe' STORED AS TEXTFILE");
        for (Map.Entry<String, String> serde : serdes.entrySet()) {
            String format = "ROW FORMAT SERDE 'org.apache.hadoop.hive.serde2." + serde.getValue();
            String extension = "." + serde.getKey();
            boolean isText = serde.getKey().equals("textfile");
            for (String rowsOf : List.of("scalars", "nested", "odd")) {
                insert(rowsOf, "none" + extension, format, "no compression");
                insert(rowsOf, "gzip" + extension + (isText ? ".gz" : ""), format, "compression", COMPRESS, "true", CODEC, CODECS + (isText ? "GzipCodec" : "DefaultCodec"));
            }
            for (String rowsOf : List.of("extremes", "nulls", "no-nulls")) {
                insert(rowsOf, "rows" + extension, format, rowsOf);
            }
            if (!isText) {
                insert("scalars", "snappy" + extension, format, "compression", COMPRESS, "true", CODEC, CODECS + "SnappyCodec");
            }
        }
        insert("many", "block.sequencefile", "ROW FORMAT SERDE 'org.apache.hadoop.hive.serde2." + serdes.get("sequencefile"), "compressed blocks", COMPRESS, "true", CODEC,
                CODECS + "DefaultCodec", "mapreduce.output.fileoutputformat.compress.type", "BLOCK");
        String bars = "ROW FORMAT DELIMITED FIELDS TERMINATED BY '|' ESCAPED BY '\\\\' COLLECTION ITEMS TERMINATED BY ',' MAP KEYS TERMINATED BY ':' STORED AS TEXTFILE";
        Map<String, String> ofBars = Map.of("field.delim", "|", "collection.delim", ",", "colelction.delim", ",", "mapkey.delim", ":", "escape.delim", "\\");
        for (String rowsOf : List.of("scalars", "nested", "odd")) {
            insert(rowsOf, "bars.textfile", bars, ofBars, "delimiters and escapes");
        }
        // otherwise the name of the schema is the directory's path
        String avro = "ROW FORMAT SERDE 'org.apache.hadoop.hive.serde2.avro.AvroSerDe' WITH SERDEPROPERTIES ('avro.schema.name' = 'corpus') STORED AS INPUTFORMAT"
                + " 'org.apache.hadoop.hive.ql.io.avro.AvroContainerInputFormat' OUTPUTFORMAT 'org.apache.hadoop.hive.ql.io.avro.AvroContainerOutputFormat'";
        for (String codec : List.of("none", "deflate", "snappy", "bzip2")) {
            String[] options = codec.equals("none") ? new String[0] : new String[] {COMPRESS, "true", CODEC, CODECS + "DefaultCodec", "avro.output.codec", codec};
            insert("records", codec + ".avro", avro, "compression", options);
            insert("nested-records", codec + ".avro", avro, "compression", options);
        }
        insert("odd", "none.avro", avro, "odd strings");
        insert("extreme-records", "rows.avro", avro, "extremes");
        String csv = "ROW FORMAT SERDE 'org.apache.hadoop.hive.serde2.OpenCSVSerde' ";
        insert("strings", "opencsv.csv", csv + "STORED AS TEXTFILE", "quotes, delimiters and line ends in strings");
        insert("strings", "opencsv-semicolons.csv", csv + "WITH SERDEPROPERTIES ('separatorChar' = ';', 'quoteChar' = '\\'', 'escapeChar' = '\\\\') STORED AS TEXTFILE",
                Map.of("separatorChar", ";", "quoteChar", "'", "escapeChar", "\\"), "another delimiter, quote and escape");
    }

    /** By Spark's own JSON and CSV. */
    private void texts()
            throws IOException
    {
        String[] moments = {"timestampFormat", "yyyy-MM-dd HH:mm:ss.SSS"};
        write(rows("scalars").filter("id < 11"), "scalars", "own.json", "timestamps as Hive's", moments);
        write(rows("nested"), "nested", "own.json", "timestamps as Hive's", moments);
        write("scalars", "iso.json", "ISO timestamps, NaN as text");
        write("odd", "own.json", "odd strings");
        write("odd", "nulls.json", "members for nulls", "ignoreNullFields", "false");
        write("strings", "own.csv", "Spark's defaults: backslashes escape");
        write("strings", "quoted.csv", "all quoted, quotes doubled", "quoteAll", "true", "escape", "\"");
    }

    private Dataset<Row> rows(String name)
    {
        if (name.endsWith("records")) {
            // Hive's Avro has no small integers, and strings alone as keys
            return rows(Map.of("records", "scalars", "nested-records", "nested", "extreme-records", "extremes").get(name)).drop("tiny", "small", "mm");
        }
        if (name.equals("strings")) {
            return rows("odd").selectExpr("string(id) AS id", "words", "concat('note ', string(id)) AS note");
        }
        return spark.read().parquet(rows.resolve(name + ".parquet").toString()).coalesce(1);
    }

    private void write(String rowsOf, String name, String about, String... options)
            throws IOException
    {
        write(rows(rowsOf), rowsOf, name, about, options);
    }

    private void write(Dataset<Row> table, String rowsOf, String name, String about, String... options)
            throws IOException
    {
        Path directory = Files.createTempDirectory("written").resolve("table");
        String format = name.substring(name.lastIndexOf('.') + 1);
        var writer = table.write().mode(SaveMode.Overwrite).format(format);
        for (int i = 0; i < options.length; i += 2) {
            writer = writer.option(options[i], options[i + 1]);
        }
        String file = "spark/" + rowsOf + "-" + name;
        try {
            writer.save(directory.toString());
        }
        catch (Exception | Error e) {
            notWritten(file, e);
            return;
        }
        keep(directory, file, rowsOf, about + (options.length == 0 ? "" : ", " + Map.of("options", List.of(options))));
    }

    private void insert(String rowsOf, String name, String format, String about, String... options)
            throws IOException
    {
        insert(rowsOf, name, format, Map.of(), about, options);
    }

    /** By a statement of Hive's: ofReader are parameters of the serde that reads it. */
    private void insert(String rowsOf, String name, String format, Map<String, String> ofReader, String about, String... options)
            throws IOException
    {
        Path directory = Files.createTempDirectory("written").resolve("table");
        String file = "spark/" + rowsOf + "-" + name;
        rows(rowsOf).createOrReplaceTempView("source");
        for (int i = 0; i < options.length; i += 2) {
            spark.conf().set(options[i], options[i + 1]);
        }
        try {
            spark.sql("INSERT OVERWRITE LOCAL DIRECTORY '" + directory + "' " + format + " SELECT * FROM source");
        }
        catch (Exception | Error e) {
            notWritten(file, e);
            return;
        }
        finally {
            for (int i = 0; i < options.length; i += 2) {
                spark.conf().unset(options[i]);
            }
        }
        keep(directory, file, rowsOf, about, ofReader.entrySet().stream().map(parameter -> parameter.getKey() + "="
                + URLEncoder.encode(parameter.getValue(), StandardCharsets.UTF_8)).sorted().toArray(String[]::new));
    }

    private static void notWritten(String file, Throwable e)
    {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        System.err.println("Not written: " + file + ": " + cause);
    }

    private void keep(Path directory, String file, String rowsOf, String about, String... ofReader)
            throws IOException
    {
        try (Stream<Path> parts = Files.list(directory)) {
            List<Path> data = parts.filter(part -> part.getFileName().toString().startsWith("part-")).toList();
            if (data.size() != 1) {
                throw new IOException(file + " has become " + data);
            }
            Files.copy(data.get(0), corpus.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
        String columns = switch (rowsOf) {
            case "nested", "odd", "strings" -> rowsOf.toUpperCase(Locale.ROOT);
            case "nested-records" -> "NESTED_RECORDS";
            case "records", "extreme-records" -> "RECORDS";
            default -> "SCALARS";
        };
        written.add(String.join("\t", file, columns, "Spark " + spark.version(), about, String.join("&", ofReader)));
    }
}
