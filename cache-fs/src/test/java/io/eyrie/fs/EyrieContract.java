// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/**
 * Runs Hadoop's contract tests on a wrapped file system. {@code contract/<name>.xml} describes the features and restrictions, which are those of the
 * wrapped one.
 */
final class EyrieContract
        extends AbstractFSContract
{
    private final FileSystem fileSystem;
    private final Path testPath;

    EyrieContract(Configuration configuration, String name, FileSystem fileSystem, Path testPath)
    {
        super(configuration);
        addConfResource("contract/" + name + ".xml");
        this.fileSystem = fileSystem;
        this.testPath = testPath;
    }

    @Override
    public FileSystem getTestFileSystem()
    {
        return fileSystem;
    }

    @Override
    public String getScheme()
    {
        return fileSystem.getUri().getScheme();
    }

    @Override
    public Path getTestPath()
    {
        return fileSystem.makeQualified(testPath);
    }
}
