package io.eyrie.fs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/** A wrapped file system before Hadoop's contract tests: what it may and may not is the wrapped one's own, in {@code contract/<name>.xml}. */
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
