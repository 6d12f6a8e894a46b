// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import org.apache.hadoop.util.VersionInfo;

import java.io.IOException;

/**
 * Refuses a Hadoop that lacks classes which this file system needs. {@link EyrieFileSystem} and its base class must not need such a class to be
 * loaded and verified: no code of theirs may convert to or from its type.
 */
final class HadoopVersion
{
    // the newest of them
    private static final String NEEDED = "org.apache.hadoop.fs.BulkDelete";

    private HadoopVersion()
    {}

    /** @throws IOException naming the version that runs and the least that works */
    static void check()
            throws IOException
    {
        try {
            Class.forName(NEEDED, false, HadoopVersion.class.getClassLoader());
        }
        catch (ClassNotFoundException e) {
            throw new IOException(EyrieFileSystem.class.getName() + " needs Hadoop 3.4.1 or later, but this is Hadoop " + VersionInfo.getVersion()
                    + ", which lacks " + NEEDED + ". To fix: use Spark 4.0 or later, or remove fs.<scheme>.impl to read without a cache.", e);
        }
    }
}
