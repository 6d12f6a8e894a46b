// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import com.facebook.presto.hive.HdfsEnvironment;
import com.facebook.presto.hive.MetastoreClientConfig;
import com.facebook.presto.hive.authentication.GenericExceptionAction;
import com.facebook.presto.hive.authentication.HdfsAuthentication;
import org.apache.hadoop.conf.Configuration;

/** Gives Presto access to local files as the user who runs the tests. */
final class LocalFiles
{
    private LocalFiles()
    {}

    static HdfsEnvironment environment()
    {
        MetastoreClientConfig config = new MetastoreClientConfig().setRequireHadoopNative(false);
        return new HdfsEnvironment((context, path) -> new Configuration(false), config, new AsThisUser());
    }

    private static final class AsThisUser
            implements HdfsAuthentication
    {
        @Override
        public <R, E extends Exception> R doAs(String user, GenericExceptionAction<R, E> action)
                throws E
        {
            return action.run();
        }
    }
}
