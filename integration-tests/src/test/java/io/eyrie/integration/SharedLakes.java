// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.lake.Checkout;
import io.eyrie.testing.lake.Lake;
import io.eyrie.testing.lake.LakeBuilder;
import io.eyrie.testing.s3.MinioServer;

import java.util.Map;

/**
 * Lakes that several test classes use, each with a schema of its own. The first class that needs a lake starts it, and its processes end with this JVM. A
 * class may restart the nodes; it may not change their files, which the next class finds.
 */
final class SharedLakes
{
    /** A catalog with fragment results and statistics of files, without selection in the store. */
    static final String FRAGMENTS = "fragments";

    /** A catalog that selects in the store. */
    static final String SELECT = "selecting";

    /** A catalog with fragment results that selects in the store. */
    static final String SELECT_FRAGMENTS = "selecting_fragments";

    /** A catalog with fragment results, statistics of files, and the credentials of a user that the test creates. */
    static final String LISTER = "lister";

    /** The secret key of the user {@value #LISTER}. */
    static final String LISTER_SECRET = "lister-secret-key";

    /** A catalog with Alluxio's client cache. */
    static final String ALLUXIO = "alluxio";

    // two JVMs of one test run may each have a lake; the name is also that of the folder of its logs
    private static final String JVM = System.getProperty("eyrie.jvm", "jvm");

    private SharedLakes()
    {}

    /** Returns a lake of one worker on MinIO. */
    static Lake onMinio()
    {
        return OnMinio.LAKE;
    }

    /** Returns a lake of one worker on s3proxy, with the engine's own fragment cache, which a session property enables. */
    static Lake onS3proxy()
    {
        return OnS3proxy.LAKE;
    }

    private static LakeBuilder builder(String name)
    {
        return Lake.builder(Checkout.find()).name(name + "-" + JVM).workers(1);
    }

    private static final class OnMinio
    {
        private static final Lake LAKE = builder("shared-minio")
                .server(MinioServer::start)
                .catalog(FRAGMENTS, Map.of("fragment-result-cache.enabled", "true", "cache.file-statistics", "on"))
                .catalog(SELECT, Map.of("hive.s3select-pushdown.enabled", "true"))
                .catalog(SELECT_FRAGMENTS, Map.of("hive.s3select-pushdown.enabled", "true", "fragment-result-cache.enabled", "true"))
                .catalog(LISTER, Map.of(
                        "fragment-result-cache.enabled", "true",
                        "cache.file-statistics", "on",
                        "hive.s3.aws-access-key", LISTER,
                        "hive.s3.aws-secret-key", LISTER_SECRET))
                .start();
    }

    private static final class OnS3proxy
    {
        private static final Lake LAKE = builder("shared-s3proxy")
                .config("fragment-result-cache.enabled", "true")
                .config("fragment-result-cache.base-directory", "file:${node.directory}/fragment")
                .catalog(ALLUXIO, Map.of("cache.type", "ALLUXIO_CLIENT"))
                .start();
    }
}
