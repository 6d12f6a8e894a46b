// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractContractAppendTest;
import org.apache.hadoop.fs.contract.AbstractContractConcatTest;
import org.apache.hadoop.fs.contract.AbstractContractContentSummaryTest;
import org.apache.hadoop.fs.contract.AbstractContractCreateTest;
import org.apache.hadoop.fs.contract.AbstractContractDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractEtagTest;
import org.apache.hadoop.fs.contract.AbstractContractGetFileStatusTest;
import org.apache.hadoop.fs.contract.AbstractContractMkdirTest;
import org.apache.hadoop.fs.contract.AbstractContractOpenTest;
import org.apache.hadoop.fs.contract.AbstractContractRenameTest;
import org.apache.hadoop.fs.contract.AbstractContractSeekTest;
import org.apache.hadoop.fs.contract.AbstractContractUnbufferTest;
import org.apache.hadoop.fs.contract.AbstractContractVectoredReadTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.apache.hadoop.fs.contract.ContractTestUtils;
import org.junit.experimental.runners.Enclosed;
import org.junit.runner.RunWith;

import java.io.IOException;

/** Runs Hadoop's contract tests of S3A on the wrapper, on MinIO. */
@RunWith(Enclosed.class)
public class S3AContractIT
{
    static AbstractFSContract contract(Configuration configuration)
    {
        return new EyrieContract(configuration, "s3a", S3AStore.contractFileSystem(), new Path("/contract"));
    }

    public static class Append
            extends AbstractContractAppendTest
    {
        @Override
        protected AbstractFSContract createContract(Configuration configuration)
        {
            return contract(configuration);
        }
    }

    public static class Concat
            extends AbstractContractConcatTest
    {
        @Override
        protected AbstractFSContract createContract(Configuration configuration)
        {
            return contract(configuration);
        }
    }

    public static class ContentSummary
            extends AbstractContractContentSummaryTest
    {
        @Override
        protected AbstractFSContract createContract(Configuration configuration)
        {
            return contract(configuration);
        }
    }

    public static class Create
            extends AbstractContractCreateTest
    {
        @Override
        protected AbstractFSContract createContract(Configuration configuration)
        {
            return contract(configuration);
        }
    }

    public static class Delete
            extends AbstractContractDeleteTest
    {
        @Override
        protected AbstractFSContract createContract(Configuration configuration)
        {
            return contract(configuration);
        }
    }

    public static class Etag
            extends AbstractContractEtagTest
    {
        @Override
        protected AbstractFSContract createContract(Configuration configuration)
        {
            return contract(configuration);
        }
    }

    public static class GetFileStatus
            extends AbstractContractGetFileStatusTest
    {
        @Override
        protected AbstractFSContract createContract(Configuration configuration)
        {
            return contract(configuration);
        }
    }

    public static class Mkdir
            extends AbstractContractMkdirTest
    {
        @Override
        protected AbstractFSContract createContract(Configuration configuration)
        {
            return contract(configuration);
        }
    }

    public static class Open
            extends AbstractContractOpenTest
    {
        /** S3A reports this for all files. */
        @Override
        protected boolean areZeroByteFilesEncrypted()
        {
            return true;
        }

        @Override
        protected AbstractFSContract createContract(Configuration configuration)
        {
            return contract(configuration);
        }
    }

    public static class Rename
            extends AbstractContractRenameTest
    {
        /** S3A refuses to rename into a directory that is not empty. */
        @Override
        public void testRenameDirIntoExistingDir()
                throws IOException
        {
            Path source = path("source");
            Path destination = path("dest");
            ContractTestUtils.touch(getFileSystem(), new Path(source, "file"));
            ContractTestUtils.touch(getFileSystem(), new Path(destination, "file"));
            assertFalse(getFileSystem().rename(source, destination));
        }

        /** S3A does not check whether an ancestor of the destination's parent is a file. */
        @Override
        public void testRenameFileUnderFileSubdir()
                throws IOException
        {
            Path source = path("source");
            Path file = path("file");
            ContractTestUtils.touch(getFileSystem(), source);
            ContractTestUtils.touch(getFileSystem(), file);
            assertTrue(getFileSystem().rename(source, new Path(file, "parent/target")));
        }

        @Override
        protected AbstractFSContract createContract(Configuration configuration)
        {
            return contract(configuration);
        }
    }

    public static class Seek
            extends AbstractContractSeekTest
    {
        @Override
        protected AbstractFSContract createContract(Configuration configuration)
        {
            return contract(configuration);
        }
    }

    public static class Unbuffer
            extends AbstractContractUnbufferTest
    {
        @Override
        protected AbstractFSContract createContract(Configuration configuration)
        {
            return contract(configuration);
        }
    }

    public static class VectoredRead
            extends AbstractContractVectoredReadTest
    {
        public VectoredRead(String bufferType)
        {
            super(bufferType);
        }

        @Override
        protected AbstractFSContract createContract(Configuration configuration)
        {
            return contract(configuration);
        }
    }
}
