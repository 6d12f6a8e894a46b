// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.port;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Finds ports of this machine for servers of tests. Never returns a port twice in one JVM. Thread-safe. */
public final class FreePorts
{
    /*
     * The system gives connections and sockets without a port one of 32768 or more (Linux's net.ipv4.ip_local_port_range). Lower ones stay free until the server
     * opens them. Another JVM that looks for ports at the same time begins elsewhere.
     */
    private static final int FIRST = 20_000;
    private static final int END = 32_768;
    private static final Set<Integer> TAKEN = new HashSet<>();

    private FreePorts()
    {}

    /** Returns a port that nothing listens on, on any address of this machine. */
    public static int next()
    {
        synchronized (TAKEN) {
            int begin = ThreadLocalRandom.current().nextInt(FIRST, END);
            for (int i = 0; i < END - FIRST; i++) {
                int port = FIRST + (begin - FIRST + i) % (END - FIRST);
                if (!TAKEN.contains(port) && isFree(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)) && isFree(new InetSocketAddress(
                        port))) {
                    TAKEN.add(port);
                    return port;
                }
            }
        }
        throw new IllegalStateException("No port from " + FIRST + " to " + (END - 1) + " is free");
    }

    private static boolean isFree(InetSocketAddress address)
    {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address);
            return true;
        }
        catch (IOException e) {
            return false;
        }
    }
}
