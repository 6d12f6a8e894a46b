// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.testing.link.LinkShape;
import io.eyrie.testing.link.ShapedLink;
import io.eyrie.testing.s3.MinioServer;
import io.eyrie.testing.s3.S3Server;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;

/** One MinIO with one bucket for the tests of a JVM, which S3A reaches over a link that counts requests. Its container is removed at the JVM's end. */
final class S3AStore
{
    static final String BUCKET = "eyrie";
    static final URI URI_OF_BUCKET = URI.create("s3a://" + BUCKET + "/");

    private static @Nullable S3AStore store;

    private final S3Server server;
    private final ShapedLink link;
    private final FileSystem contractFileSystem;

    private S3AStore()
            throws IOException
    {
        server = MinioServer.start();
        server.client().createBucket(BUCKET);
        link = ShapedLink.open(server.endpoint(), LinkShape.UNSHAPED);
        contractFileSystem = FileSystem.newInstance(URI_OF_BUCKET, wrapped(TestingFileSystems.cacheDirectory("s3a-contract"), "classic", server,
                link));
    }

    static synchronized S3AStore get()
    {
        if (store == null) {
            try {
                store = new S3AStore();
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return store;
    }

    static FileSystem contractFileSystem()
    {
        return get().contractFileSystem;
    }

    S3Server server()
    {
        return server;
    }

    ShapedLink link()
    {
        return link;
    }

    /** Returns S3A without the cache. */
    FileSystem unwrapped()
            throws IOException
    {
        Configuration configuration = new Configuration();
        s3a(configuration, "classic", server, link);
        configuration.setClass("fs.s3a.impl", S3AFileSystem.class, FileSystem.class);
        return FileSystem.newInstance(URI_OF_BUCKET, configuration);
    }

    /** @param stream classic or analytics */
    Configuration wrapped(Path cacheDirectory, String stream)
    {
        return wrapped(cacheDirectory, stream, server, link);
    }

    private static Configuration wrapped(Path cacheDirectory, String stream, S3Server server, ShapedLink link)
    {
        Configuration configuration = TestingFileSystems.configuration(cacheDirectory);
        s3a(configuration, stream, server, link);
        configuration.set("fs.s3a.impl", EyrieFileSystem.class.getName());
        configuration.set(EyrieKeys.implementation("s3a"), S3AFileSystem.class.getName());
        return configuration;
    }

    private static void s3a(Configuration configuration, String stream, S3Server server, ShapedLink link)
    {
        configuration.set("fs.s3a.endpoint", link.endpoint().toString());
        configuration.set("fs.s3a.endpoint.region", "us-east-1");
        configuration.set("fs.s3a.path.style.access", "true");
        configuration.set("fs.s3a.access.key", server.accessKey());
        configuration.set("fs.s3a.secret.key", server.secretKey());
        configuration.set("fs.s3a.input.stream.type", stream);
        configuration.set("fs.s3a.attempts.maximum", "3");
        configuration.set("fs.s3a.retry.limit", "2");
    }
}
