// SPDX-License-Identifier: Apache-2.0
package io.eyrie.spark;

import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.link.LinkCounts;
import io.eyrie.testing.link.LinkShape;
import io.eyrie.testing.link.RecordedRequest;
import io.eyrie.testing.link.RequestKind;
import io.eyrie.testing.link.ShapedLink;
import io.eyrie.testing.s3.MinioServer;
import io.eyrie.testing.s3.S3Server;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/** Runs Spark in local mode with the core-site.xml of docs/cache-fs.md, on MinIO behind a link that counts requests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SparkIT
{
    private static final String BUCKET = "eyrie";
    private static final int ROWS = 50_000;

    private S3Server server;
    private ShapedLink link;
    private SparkSession spark;

    @BeforeAll
    void start(@TempDir Path directory)
            throws IOException
    {
        server = MinioServer.start();
        server.client().createBucket(BUCKET);
        link = ShapedLink.open(server.endpoint(), LinkShape.UNSHAPED);
        SparkSession.Builder builder = SparkSession.builder()
                .master("local[2]")
                .appName("eyrie")
                .config("spark.ui.enabled", false)
                .config("spark.local.dir", directory.toString())
                .config("spark.sql.warehouse.dir", directory.resolve("warehouse").toString())
                .config("spark.testing.memory", 512L << 20)
                .config("spark.sql.shuffle.partitions", 2);
        for (Map.Entry<String, String> property : documented()) {
            builder.config("spark.hadoop." + property.getKey(), property.getValue());
        }
        Map.of("fs.eyrie.cache.directories", Files.createDirectory(directory.resolve("cache")).toString(),
                "fs.eyrie.cache.capacity", "1g",
                "fs.eyrie.cache.min-free-space", "0",
                "fs.s3a.endpoint", link.endpoint().toString(),
                "fs.s3a.endpoint.region", "us-east-1",
                "fs.s3a.path.style.access", "true",
                "fs.s3a.access.key", server.accessKey(),
                "fs.s3a.secret.key", server.secretKey())
                .forEach((name, value) -> builder.config("spark.hadoop." + name, value));
        spark = builder.getOrCreate();
    }

    @AfterAll
    void stop()
            throws IOException
    {
        spark.stop();
        link.close();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"parquet", "orc"})
    void secondReadAsksForData(String format)
            throws Exception
    {
        String path = "s3a://" + BUCKET + "/" + format;
        for (int version = 1; version <= 2; version++) {
            Dataset<Row> rows = rows(version);
            rows.repartition(3).write().format(format).mode(SaveMode.Overwrite).save(path);
            List<Row> expected = answer(rows);

            LinkCounts unread = link.counts();
            assertThat(answer(read(format, path))).as("version %s", version).isEqualTo(expected);
            LinkCounts cold = link.counts();
            assertThat(cold.minus(unread).of(RequestKind.GET_DATA).requests()).isPositive();

            link.startRecording();
            assertThat(answer(read(format, path))).isEqualTo(expected);
            List<RecordedRequest> data = link.stopRecording().stream().filter(recorded -> recorded.request().kind() == RequestKind.GET_DATA).toList();
            assertThat(data).as("version %s; %s", version, counters()).isEmpty();
        }
    }

    private Dataset<Row> rows(int version)
    {
        return spark.range(ROWS).selectExpr("id", "id * " + version + " % 1000 as number", "concat('row ', id * id % 100003) as text");
    }

    private Dataset<Row> read(String format, String path)
    {
        return spark.read().format(format).load(path);
    }

    private static List<Row> answer(Dataset<Row> rows)
    {
        return rows.selectExpr("count(*)", "sum(id)", "sum(number)", "max(text)").collectAsList();
    }

    private static Configuration documented()
            throws IOException
    {
        String page = Files.readString(Checkout.find().root().resolve("docs/cache-fs.md"));
        String end = "</configuration>";
        String coreSite = page.substring(page.indexOf("<configuration>"), page.indexOf(end) + end.length());
        Configuration configuration = new Configuration(false);
        configuration.addResource(new ByteArrayInputStream(coreSite.getBytes(StandardCharsets.UTF_8)), "docs/cache-fs.md");
        assertThat(requireNonNull(configuration.get("fs.s3a.impl"))).isEqualTo("io.eyrie.fs.EyrieFileSystem");
        return configuration;
    }

    /** The counters of the page cache, to diagnose a failure. */
    private static Map<String, Object> counters()
            throws Exception
    {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = beans.queryNames(new ObjectName("io.eyrie:type=PageCache,*"), null).iterator().next();
        Map<String, Object> counters = new TreeMap<>();
        for (MBeanAttributeInfo attribute : beans.getMBeanInfo(name).getAttributes()) {
            counters.put(attribute.getName(), beans.getAttribute(name, attribute.getName()));
        }
        return counters;
    }
}
