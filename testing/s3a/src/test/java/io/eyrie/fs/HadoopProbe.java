// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.VersionInfo;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A process that reads a file twice, and prints whether the cache answered the second read. Uses what every Hadoop 3 has. */
final class HadoopProbe
{
    private HadoopProbe()
    {}

    public static void main(String[] args)
            throws IOException
    {
        Configuration configuration = new Configuration();
        configuration.set("fs.file.impl", "io.eyrie.fs.EyrieFileSystem");
        configuration.set("fs.eyrie.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
        configuration.set("fs.eyrie.cache.directories", args[1]);
        configuration.set("fs.eyrie.cache.min-free-space", "0");
        configuration.set("fs.eyrie.min-file-age", "0s");
        try (FileSystem fileSystem = FileSystem.newInstance(URI.create("file:///"), configuration);
                PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8)) {
            read(fileSystem, args[0]);
            FSDataInputStream second = read(fileSystem, args[0]);
            Long hits = second.getIOStatistics().counters().get("eyrie_cache_read_bytes");
            out.println("hadoop=" + VersionInfo.getVersion() + " bytes=" + second.getPos() + " hits=" + (hits != null && hits == second.getPos()));
        }
    }

    private static FSDataInputStream read(FileSystem fileSystem, String file)
            throws IOException
    {
        FSDataInputStream stream = fileSystem.open(new Path(file));
        try (stream) {
            stream.readFully(new byte[stream.available()]);
        }
        return stream;
    }
}
