package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;
import io.eyrie.testing.client.QueryResult;
import io.eyrie.testing.hdfs.HdfsServer;
import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.presto.NodeMBeans;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Files of HDFS, which has no entity tags and asks its name node at each open. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HdfsIT
{
    private static final String CATALOG = "hdfs";
    private static final String SCHEMA = "files";
    private static final String HANDLES = "io.eyrie.presto.filesystem:type=FileHandles,name=" + CATALOG;
    private static final int LEAST_SPLITS = 20;
    private static final int MOST_READERS = 8;
    // files without tags are read uncached while they are younger than two
    private static final long TOO_YOUNG_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final String SUM = "SELECT count(*), sum(orderkey), max(comment) FROM lines";

    private HdfsServer hdfs;
    private Lake lake;

    @BeforeAll
    void start()
    {
        Checkout checkout = Checkout.find();
        hdfs = HdfsServer.start(checkout.hdfsLib(), Path.of("target", "hdfs.log"));
        try {
            lake = Lake.builder(checkout)
                    .name("hdfs")
                    .workers(1)
                    .config("task.max-worker-threads", Integer.toString(MOST_READERS))
                    .catalog(CATALOG, Map.of("hive.max-split-size", "64kB", "hive.max-initial-split-size", "64kB"))
                    .start();
        }
        catch (RuntimeException | Error e) {
            hdfs.close();
            throw e;
        }
    }

    @AfterAll
    void stop()
    {
        try {
            lake.close();
        }
        finally {
            hdfs.close();
        }
    }

    @Test
    void splitsAskForTheBlocksOfAFileThatIsOpen()
    {
        PrestoClient client = lake.presto().client(CATALOG, SCHEMA);
        client.execute("CREATE SCHEMA " + SCHEMA);
        hdfs.createDirectory("/lines");
        client.execute("CREATE TABLE lines (orderkey bigint, comment varchar) WITH (format = 'TEXTFILE', external_location = '" + hdfs.uri()
                + "/lines')");
        // what is compressed is not split
        client.withSession("task_writer_count", "1").withSession(CATALOG + ".compression_codec", "NONE").execute(
                "INSERT INTO lines SELECT l_orderkey, l_comment FROM tpch.tiny.lineitem");
        QueryResult expected = lake.presto().client("tpch", "tiny").execute("SELECT count(*), sum(l_orderkey), max(l_comment) FROM lineitem");

        long old = System.nanoTime() + TOO_YOUNG_NANOS;

        PrestoClient uncached = client.withSession(CATALOG + ".cache_enabled", "false");
        long opens;
        do {
            long before = hdfs.blockLocationRequests();
            assertThat(uncached.execute(SUM).rows()).isEqualTo(expected.rows());
            opens = hdfs.blockLocationRequests() - before;
        }
        while (System.nanoTime() < old);
        assertThat(opens).as("opens without the cache").isGreaterThanOrEqualTo(LEAST_SPLITS);

        long before = hdfs.blockLocationRequests();
        assertThat(client.execute(SUM).rows()).isEqualTo(expected.rows());
        long cold = hdfs.blockLocationRequests();
        NodeMBeans worker = lake.presto().workerMBeans(0);
        double opened = worker.number(HANDLES, "Opened");
        assertThat((double) (cold - before)).as("opens").isEqualTo(opened).isBetween(1.0, opens / 2.0);
        assertThat(worker.number(HANDLES, "Reused")).isGreaterThanOrEqualTo(LEAST_SPLITS - opened);
        assertThat(worker.number(HANDLES, "Failed")).isZero();

        assertThat(client.execute(SUM).rows()).isEqualTo(expected.rows());
        assertThat(hdfs.blockLocationRequests()).as("opens of the warm run").isEqualTo(cold);
    }
}
