// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.s3;

import io.eyrie.testing.files.Directories;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;

/** s3proxy inside this JVM, on loopback. */
public final class EmbeddedS3Server
        implements S3Server
{
    private static final String ACCESS_KEY = "eyrie-access";
    private static final String SECRET_KEY = "eyrie-secret-key";

    private final S3Proxy server;
    private final @Nullable Path ownDirectory;

    private EmbeddedS3Server(BlobStore store, @Nullable Path ownDirectory)
    {
        this.ownDirectory = ownDirectory;
        this.server = S3Proxy.builder()
                .blobStore(store)
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, ACCESS_KEY, SECRET_KEY)
                .ignoreUnknownHeaders(true)
                .metricsEnabled(false)
                .build();
        try {
            server.start();
        }
        // s3proxy declares Exception
        catch (Exception e) {
            throw new IllegalStateException("s3proxy does not start", e);
        }
    }

    /** Starts a server that stores its objects in this JVM's heap. */
    public static EmbeddedS3Server inMemory()
    {
        return new EmbeddedS3Server(new TransientNio2BlobStore(), null);
    }

    /** Starts a server that stores its objects as files in a temporary directory, which it deletes when it closes. */
    public static EmbeddedS3Server inTemporaryDirectory()
    {
        try {
            Path directory = Files.createTempDirectory("eyrie-s3-").toRealPath();
            requireAttributes(directory);
            return new EmbeddedS3Server(new FilesystemNio2BlobStore(directory.toString()), directory);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts a server that stores its objects as files in {@code directory}, which must exist and is not deleted. Its file system must have user
     * attributes, which hold the ETags.
     */
    public static EmbeddedS3Server in(Path directory)
    {
        try {
            requireAttributes(directory);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new EmbeddedS3Server(new FilesystemNio2BlobStore(directory.toString()), null);
    }

    private static void requireAttributes(Path directory)
            throws IOException
    {
        if (!Files.getFileStore(directory).supportsFileAttributeView(UserDefinedFileAttributeView.class)) {
            throw new IllegalArgumentException("The file system of " + directory + " has no user attributes, without which there are no ETags");
        }
    }

    @Override
    public URI endpoint()
    {
        return URI.create("http://127.0.0.1:" + server.getPort());
    }

    @Override
    public String accessKey()
    {
        return ACCESS_KEY;
    }

    @Override
    public String secretKey()
    {
        return SECRET_KEY;
    }

    @Override
    public void close()
    {
        try {
            server.stop();
        }
        // s3proxy declares Exception
        catch (Exception e) {
            throw new IllegalStateException("s3proxy does not stop", e);
        }
        finally {
            if (ownDirectory != null) {
                Directories.delete(ownDirectory);
            }
        }
    }
}
