// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.cache.config.ConfigException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tests which of S3A's settings exclude caching. */
class S3ASettingsIT
{
    @Test
    void changeDetectionThatOnlyWarnsIsAccepted()
    {
        Configuration configuration = new Configuration();
        configuration.set("fs.s3a.change.detection.mode", "warn");
        assertThatThrownBy(() -> RemoteClient.of(s3a(configuration)).isCacheable()).isInstanceOf(ConfigException.class).hasMessageContaining(
                "fs.s3a.change.detection.mode");
    }

    @Test
    void changeDetectionByAVersionThatListingsLackIsAccepted()
    {
        Configuration configuration = new Configuration();
        configuration.set("fs.s3a.change.detection.source", "VersionId");
        assertThatThrownBy(() -> RemoteClient.of(s3a(configuration)).isCacheable()).isInstanceOf(ConfigException.class).hasMessageContaining(
                "fs.s3a.change.detection.source");
        configuration.set("fs.s3a.change.detection.source", "etag");
        assertThat(RemoteClient.of(s3a(configuration)).isCacheable()).isTrue();
    }

    @Test
    void whatTheClientEncryptsIsCached()
    {
        Configuration configuration = new Configuration();
        configuration.set("fs.s3a.encryption.algorithm", "CSE-KMS");
        assertThat(RemoteClient.of(s3a(configuration)).isCacheable()).isFalse();
    }

    private static S3AFileSystem s3a(Configuration configuration)
    {
        return new S3AFileSystem() {
            @Override
            public Configuration getConf()
            {
                return configuration;
            }
        };
    }
}
