// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.presto.hive.DynamicConfigurationProvider;
import com.facebook.presto.hive.HdfsConfigurationInitializer;
import com.facebook.presto.hive.HdfsContext;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.HiveHdfsConfiguration;
import com.facebook.presto.spi.PrestoException;
import org.apache.hadoop.conf.Configuration;

import javax.inject.Inject;

import java.net.URI;
import java.util.Set;

import static com.facebook.presto.hive.HiveErrorCode.HIVE_FILESYSTEM_ERROR;

/** The connector's Hadoop configuration. It refuses locations whose file system the plugin's folder does not contain, until the operator adds its jars. */
final class LeftOutFileSystems
        extends HiveHdfsConfiguration
{
    private static final String ALLUXIO_CLASS = "alluxio/hadoop/FileSystem.class";

    @Inject
    LeftOutFileSystems(HdfsConfigurationInitializer initializer, Set<DynamicConfigurationProvider> providers, HiveClientConfig config)
    {
        super(initializer, providers, config);
    }

    @Override
    public Configuration getConfiguration(HdfsContext context, URI uri)
    {
        if ("alluxio".equals(uri.getScheme()) && LeftOutFileSystems.class.getClassLoader().getResource(ALLUXIO_CLASS) == null) {
            throw new PrestoException(
                    HIVE_FILESYSTEM_ERROR,
                    "Cannot access " + uri
                            + ": alluxio:// needs Alluxio's file system, which the plugin's folder does not contain. To fix: on every node, copy"
                            + " alluxio-core-client-hdfs-313.jar from Presto's hive-hadoop2 folder into Eyrie's folder, with those jars of"
                            + " commons-io, commons-lang3, grpc-*, netty-*, perfmark-api and protobuf-java-util that Eyrie's folder lacks, and restart.");
        }
        return super.getConfiguration(context, uri);
    }
}
