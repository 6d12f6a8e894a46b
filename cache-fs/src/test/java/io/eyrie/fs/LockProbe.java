// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A process that prints whether it can take a lock. */
final class LockProbe
{
    private LockProbe()
    {}

    public static void main(String[] args)
            throws IOException
    {
        try (FileChannel channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE);
                PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, StandardCharsets.UTF_8)) {
            out.println(channel.tryLock() != null);
        }
    }
}
