// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageStatistics;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.IOStatisticsSupport;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.functional.RemoteIterators;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.EnumSet;

/**
 * Passes every call to the wrapped file system, including those for which Hadoop's filter has defaults that make more requests or lose information.
 * Reports the statuses that the store returns and the paths that change.
 */
abstract class PassThroughFileSystem
        extends FilterFileSystem
        implements IOStatisticsSource
{
    /** Called with a status that the store just returned; returns it. */
    abstract <S extends FileStatus> S seen(S status);

    /** Called when a file or a tree is about to be written, moved, or deleted, or just was. */
    abstract void changed(Path path);

    // metadata

    @Override
    public FileStatus getFileStatus(Path path)
            throws IOException
    {
        return seen(fs.getFileStatus(path));
    }

    @Override
    public FileStatus[] listStatus(Path path)
            throws IOException
    {
        FileStatus[] statuses = fs.listStatus(path);
        for (FileStatus status : statuses) {
            seen(status);
        }
        return statuses;
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path path)
            throws IOException
    {
        return RemoteIterators.mappingRemoteIterator(fs.listStatusIterator(path), this::seen);
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path)
            throws IOException
    {
        return RemoteIterators.mappingRemoteIterator(fs.listLocatedStatus(path), this::seen);
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listFiles(Path path, boolean recursive)
            throws IOException
    {
        return RemoteIterators.mappingRemoteIterator(fs.listFiles(path, recursive), this::seen);
    }

    @Override
    public FileStatus @Nullable [] globStatus(Path pattern)
            throws IOException
    {
        return fs.globStatus(pattern);
    }

    @Override
    public FileStatus @Nullable [] globStatus(Path pattern, PathFilter filter)
            throws IOException
    {
        return fs.globStatus(pattern, filter);
    }

    @Override
    public boolean exists(Path path)
            throws IOException
    {
        return fs.exists(path);
    }

    @Override
    @Deprecated
    public boolean isDirectory(Path path)
            throws IOException
    {
        return fs.isDirectory(path);
    }

    @Override
    @Deprecated
    public boolean isFile(Path path)
            throws IOException
    {
        return fs.isFile(path);
    }

    @Override
    public ContentSummary getContentSummary(Path path)
            throws IOException
    {
        return fs.getContentSummary(path);
    }

    @Override
    public QuotaUsage getQuotaUsage(Path path)
            throws IOException
    {
        return fs.getQuotaUsage(path);
    }

    // writes

    @Override
    public FSDataOutputStream create(
            Path path, FsPermission permission, boolean overwrite, int bufferSize, short replication, long blockSize, @Nullable Progressable progress)
            throws IOException
    {
        changed(path);
        return fs.create(path, permission, overwrite, bufferSize, replication, blockSize, progress);
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress,
            @Nullable ChecksumOpt checksum)
            throws IOException
    {
        changed(path);
        return fs.create(path, permission, flags, bufferSize, replication, blockSize, progress, checksum);
    }

    @Override
    public FSDataOutputStream createNonRecursive(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress)
            throws IOException
    {
        changed(path);
        return fs.createNonRecursive(path, permission, flags, bufferSize, replication, blockSize, progress);
    }

    @Override
    protected FSDataOutputStream primitiveCreate(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress,
            @Nullable ChecksumOpt checksum)
            throws IOException
    {
        changed(path);
        return super.primitiveCreate(path, permission, flags, bufferSize, replication, blockSize, progress, checksum);
    }

    @Override
    @SuppressWarnings("rawtypes") // as Hadoop declares it
    public FSDataOutputStreamBuilder createFile(Path path)
    {
        changed(path);
        return fs.createFile(path);
    }

    @Override
    @SuppressWarnings("rawtypes") // as Hadoop declares it
    public FSDataOutputStreamBuilder appendFile(Path path)
    {
        changed(path);
        return fs.appendFile(path);
    }

    @Override
    public FSDataOutputStream append(Path path, int bufferSize, @Nullable Progressable progress)
            throws IOException
    {
        changed(path);
        return fs.append(path, bufferSize, progress);
    }

    @Override
    public void concat(Path target, Path[] sources)
            throws IOException
    {
        try {
            fs.concat(target, sources);
        }
        finally {
            changed(target);
            for (Path source : sources) {
                changed(source);
            }
        }
    }

    @Override
    public boolean truncate(Path path, long newLength)
            throws IOException
    {
        try {
            return fs.truncate(path, newLength);
        }
        finally {
            changed(path);
        }
    }

    @Override
    public boolean rename(Path source, Path destination)
            throws IOException
    {
        try {
            return fs.rename(source, destination);
        }
        finally {
            changed(source);
            changed(destination);
        }
    }

    @Override
    @Deprecated
    protected void rename(Path source, Path destination, Rename... options)
            throws IOException
    {
        try {
            super.rename(source, destination, options);
        }
        finally {
            changed(source);
            changed(destination);
        }
    }

    @Override
    public boolean delete(Path path, boolean recursive)
            throws IOException
    {
        try {
            return fs.delete(path, recursive);
        }
        finally {
            changed(path);
        }
    }

    @Override
    public BulkDelete createBulkDelete(Path base)
            throws IOException
    {
        return SeenBulkDelete.create(fs, base, this::changed);
    }

    /** The uploader completes files without a notification, so the whole tree below the path counts as changed. */
    @Override
    @SuppressWarnings("rawtypes") // as Hadoop declares it
    public MultipartUploaderBuilder createMultipartUploader(Path base)
            throws IOException
    {
        changed(base);
        return fs.createMultipartUploader(base);
    }

    @Override
    public void setTimes(Path path, long modified, long accessed)
            throws IOException
    {
        try {
            fs.setTimes(path, modified, accessed);
        }
        finally {
            changed(path);
        }
    }

    @Override
    public void copyFromLocalFile(boolean deleteSource, Path source, Path destination)
            throws IOException
    {
        try {
            fs.copyFromLocalFile(deleteSource, source, destination);
        }
        finally {
            changed(destination);
        }
    }

    @Override
    public void copyFromLocalFile(boolean deleteSource, boolean overwrite, Path[] sources, Path destination)
            throws IOException
    {
        try {
            fs.copyFromLocalFile(deleteSource, overwrite, sources, destination);
        }
        finally {
            changed(destination);
        }
    }

    @Override
    public void copyFromLocalFile(boolean deleteSource, boolean overwrite, Path source, Path destination)
            throws IOException
    {
        try {
            fs.copyFromLocalFile(deleteSource, overwrite, source, destination);
        }
        finally {
            changed(destination);
        }
    }

    @Override
    public void completeLocalOutput(Path output, Path temporary)
            throws IOException
    {
        try {
            fs.completeLocalOutput(output, temporary);
        }
        finally {
            changed(output);
        }
    }

    // identity, capabilities, statistics, and quotas

    @Override
    public String getScheme()
    {
        return fs.getScheme();
    }

    @Override
    public @Nullable String getCanonicalServiceName()
    {
        return fs.getCanonicalServiceName();
    }

    @Override
    public @Nullable Token<?> getDelegationToken(@Nullable String renewer)
            throws IOException
    {
        return fs.getDelegationToken(renewer);
    }

    @Override
    public boolean hasPathCapability(Path path, String capability)
            throws IOException
    {
        return fs.hasPathCapability(path, capability);
    }

    @Override
    public @Nullable IOStatistics getIOStatistics()
    {
        return IOStatisticsSupport.retrieveIOStatistics(fs);
    }

    @Override
    public StorageStatistics getStorageStatistics()
    {
        return fs.getStorageStatistics();
    }

    @Override
    public void setQuota(Path path, long names, long storageSpace)
            throws IOException
    {
        fs.setQuota(path, names, storageSpace);
    }

    @Override
    public void setQuotaByStorageType(Path path, StorageType type, long quota)
            throws IOException
    {
        fs.setQuotaByStorageType(path, type, quota);
    }
}
