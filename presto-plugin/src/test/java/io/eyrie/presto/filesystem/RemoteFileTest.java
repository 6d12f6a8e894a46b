// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.amazonaws.services.s3.model.AmazonS3Exception;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.handle.ReaderHandles;
import io.eyrie.presto.config.FileHandlesConfig;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RemoteFileTest
{
    private static final Path OBJECT = new Path("s3a://bucket/directory/object");
    private static final FileVersion TAGGED = new FileVersion(StoreId.shared("s3://bucket"), OBJECT.toString(), 1, 1, Optional.of("tag"));
    private static final FileVersion UNTAGGED = new FileVersion(StoreId.shared("hdfs://namenode"), OBJECT.toString(), 1, 1, Optional.empty());
    private static final RemoteFile.StatusSource NEVER_ASKED = path -> {
        throw new AssertionError(path);
    };

    @Test
    void remoteErrorReachesTheReaderAsItIs()
    {
        IOException denied = new IOException("denied", new AmazonS3Exception("Forbidden"));
        RemoteFile file = new RemoteFile(OBJECT, TAGGED, NEVER_ASKED, handles(() -> {
            throw denied;
        }));
        assertThatThrownBy(() -> file.readFully(0, new byte[1], 0, 1)).isSameAs(denied);
    }

    @Test
    void unreadFileOpensNothing()
            throws IOException
    {
        int[] opens = {0};
        RemoteFile file = new RemoteFile(OBJECT, UNTAGGED, NEVER_ASKED, handles(() -> {
            opens[0]++;
            throw new IOException();
        }));
        file.close();
        assertThat(opens[0]).isZero();
    }

    /* Whether it was overwritten with a longer file or appended to, HDFS does not tell Presto's client. */
    @Test
    void fileThatGrewNamesTheWayToReadIt()
    {
        RemoteFile file = new RemoteFile(OBJECT, UNTAGGED, path -> new FileStatus(2, false, 1, 1, 5_000, path), handles(() -> {
            throw new IOException("lost");
        }));
        assertThatThrownBy(() -> file.readFully(0, new byte[1], 0, 1)).isInstanceOf(ListedFileChangedException.class)
                .hasMessageContainingAll("1 bytes modified at 1970-01-01T00:00:00.001Z became 2 bytes modified at 1970-01-01T00:00:05Z",
                        "cache_enabled=false")
                .hasRootCauseMessage("lost");
    }

    private static ReaderHandles<FileHandles.HandleKey, FSDataInputStream> handles(ReaderHandles.HandleOpener<FSDataInputStream> opener)
    {
        return new FileHandles(new FileHandlesConfig()).of(new FileHandles.HandleKey(TAGGED, ""), opener);
    }
}
