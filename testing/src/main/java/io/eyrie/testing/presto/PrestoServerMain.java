// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.presto;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * The main class of a Presto process. It runs the main class that its first argument names. It ends the process when its standard input ends, which
 * happens when the JVM that started it ends in any way. Depends only on the JDK.
 */
public final class PrestoServerMain
{
    /** The exit code of a process whose parent has ended. */
    static final int ORPHANED = 70;

    private PrestoServerMain()
    {}

    /** Runs {@code arguments[0]} with the other arguments. */
    public static void main(String[] arguments)
            throws ReflectiveOperationException
    {
        InputStream parent = System.in;
        Thread watch = new Thread(() -> awaitEnd(parent), "parent-watch");
        watch.setDaemon(true);
        watch.start();
        try {
            Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
        }
        catch (InvocationTargetException e) {
            throw new IllegalStateException("The server ended with an exception", e.getCause());
        }
    }

    private static void awaitEnd(InputStream parent)
    {
        try {
            while (parent.read() >= 0) {
                // the parent sends nothing; only the end of the input matters
            }
        }
        catch (IOException e) {
            // a broken pipe is an end, too
        }
        Runtime.getRuntime().halt(ORPHANED);
    }
}
