// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.URI;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests which of ABFS's settings exclude caching. {@code S3ASettingsIT} tests those of S3A. */
class RemoteClientTest
{
    private static final String APPENDS = "fs.azure.io.read.tolerate.concurrent.append";

    @ParameterizedTest
    @CsvSource({
            "abfs,  '',                            true,  false",
            "abfss, '',                            true,  false",
            "abfss, .account.dfs.core.windows.net, true,  false",
            "abfss, .other.dfs.core.windows.net,   true,  true",
            "abfss, '',                            false, true",
            "hdfs,  '',                            true,  true"})
    void fileThatAnotherClientAppendsToIsCached(String scheme, String account, boolean tolerated, boolean cacheable)
    {
        Configuration configuration = new Configuration(false);
        configuration.setBoolean(APPENDS + account, tolerated);
        assertThat(RemoteClient.of(store(URI.create(scheme + "://container@account.dfs.core.windows.net"), configuration)).isCacheable()).isEqualTo(
                cacheable);
    }

    private static RawLocalFileSystem store(URI uri, Configuration configuration)
    {
        return new RawLocalFileSystem() {
            @Override
            public URI getUri()
            {
                return uri;
            }

            @Override
            public Configuration getConf()
            {
                return configuration;
            }
        };
    }
}
