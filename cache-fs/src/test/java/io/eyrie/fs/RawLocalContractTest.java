// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.contract.AbstractContractAppendTest;
import org.apache.hadoop.fs.contract.AbstractContractBulkDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractConcatTest;
import org.apache.hadoop.fs.contract.AbstractContractContentSummaryTest;
import org.apache.hadoop.fs.contract.AbstractContractCreateTest;
import org.apache.hadoop.fs.contract.AbstractContractDeleteTest;
import org.apache.hadoop.fs.contract.AbstractContractGetFileStatusTest;
import org.apache.hadoop.fs.contract.AbstractContractMkdirTest;
import org.apache.hadoop.fs.contract.AbstractContractOpenTest;
import org.apache.hadoop.fs.contract.AbstractContractRenameTest;
import org.apache.hadoop.fs.contract.AbstractContractSeekTest;
import org.apache.hadoop.fs.contract.AbstractContractSetTimesTest;
import org.apache.hadoop.fs.contract.AbstractContractUnbufferTest;
import org.apache.hadoop.fs.contract.AbstractContractVectoredReadTest;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.junit.experimental.runners.Enclosed;
import org.junit.runner.RunWith;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Runs Hadoop's contract tests of raw local files on the wrapper. */
@RunWith(Enclosed.class)
public class RawLocalContractTest
{
    static AbstractFSContract contract(Configuration configuration)
    {
        return new EyrieContract(configuration, "rawlocal", Store.FILE_SYSTEM, new Path(Path.CUR_DIR, "target/contract"));
    }

    private static final class Store
    {
        static final EyrieFileSystem FILE_SYSTEM = open();

        private static EyrieFileSystem open()
        {
            try {
                return TestingFileSystems.open(
                        TestingFileSystems.LOCAL,
                        TestingFileSystems.local(TestingFileSystems.cacheDirectory("contract"), RawLocalFileSystem.class));
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
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
        @Override
        protected AbstractFSContract createContract(Configuration configuration)
        {
            return contract(configuration);
        }
    }

    public static class Rename
            extends AbstractContractRenameTest
    {
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

    public static class SetTimes
            extends AbstractContractSetTimesTest
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

    public static class BulkDelete
            extends AbstractContractBulkDeleteTest
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
