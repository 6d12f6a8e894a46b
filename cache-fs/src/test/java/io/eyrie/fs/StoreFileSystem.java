// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.io.MD5Hash;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.jspecify.annotations.Nullable;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Local files as a store that counts its requests. Optionally, it has ETags, which are the files' MD5, and reports the time of a single file in whole
 * seconds.
 */
public final class StoreFileSystem
        extends RawLocalFileSystem
{
    static final String ETAGS = "eyrie.testing.etags";

    final AtomicInteger statusRequests = new AtomicInteger();
    final AtomicInteger opens = new AtomicInteger();
    final AtomicInteger closes = new AtomicInteger();
    final AtomicInteger accessRequests = new AtomicInteger();
    volatile boolean revoked;
    private boolean etags;

    @Override
    public void initialize(URI uri, Configuration configuration)
            throws IOException
    {
        super.initialize(uri, configuration);
        etags = configuration.getBoolean(ETAGS, false);
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize)
            throws IOException
    {
        opens.incrementAndGet();
        return super.open(path, bufferSize);
    }

    /** Like HDFS, this store returns the status of a file also to users who may not read it. */
    @Override
    public void access(Path path, FsAction mode)
            throws IOException
    {
        accessRequests.incrementAndGet();
        if (revoked) {
            throw new AccessControlException("Permission denied: " + path);
        }
    }

    @Override
    public FileStatus getFileStatus(Path path)
            throws IOException
    {
        statusRequests.incrementAndGet();
        FileStatus status = super.getFileStatus(path);
        return etags && status.isFile() ? tagged(status, status.getModificationTime() / 1000 * 1000) : status;
    }

    @Override
    public FileStatus[] listStatus(Path path)
            throws IOException
    {
        FileStatus[] statuses = super.listStatus(path);
        for (int i = 0; etags && i < statuses.length; i++) {
            if (statuses[i].isFile()) {
                statuses[i] = tagged(statuses[i], pathToFile(statuses[i].getPath()).lastModified());
            }
        }
        return statuses;
    }

    private FileStatus tagged(FileStatus status, long modified)
            throws IOException
    {
        try (InputStream file = new FileInputStream(pathToFile(status.getPath()))) {
            return new TaggedStatus(status, modified, MD5Hash.digest(file).toString());
        }
    }

    @Override
    public boolean hasPathCapability(Path path, String capability)
            throws IOException
    {
        return capability.equals(CommonPathCapabilities.ETAGS_AVAILABLE) ? etags : super.hasPathCapability(path, capability);
    }

    @Override
    public String getCanonicalServiceName()
    {
        return "testing-store";
    }

    @Override
    public Token<?> getDelegationToken(@Nullable String renewer)
    {
        return new Token<TokenIdentifier>(new byte[] {1}, new byte[] {2}, new Text("testing-kind"), new Text("testing-store"));
    }

    @Override
    public void close()
            throws IOException
    {
        closes.incrementAndGet();
        super.close();
    }

    private static final class TaggedStatus
            extends FileStatus
            implements EtagSource
    {
        private static final long serialVersionUID = 1;

        private final String etag;

        TaggedStatus(FileStatus status, long modified, String etag)
        {
            super(status.getLen(), false, status.getReplication(), status.getBlockSize(), modified, status.getPath());
            this.etag = etag;
        }

        @Override
        public String getEtag()
        {
            return etag;
        }
    }
}
