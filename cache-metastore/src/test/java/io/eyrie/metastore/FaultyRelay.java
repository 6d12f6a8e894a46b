// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/** A loopback address in front of a server, whose connections fail on demand. */
final class FaultyRelay
        implements AutoCloseable
{
    /** The fault of a connection; each connection begins with a call that reaches the server, except with {@code SILENCE}. */
    enum Fault
    {
        NONE, ANSWER_LOST, HALF_AN_ANSWER, SILENCE
    }

    private final ServerSocket listener;
    private final URI server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger faults = new AtomicInteger();
    private volatile Supplier<Fault> next = () -> Fault.NONE;

    FaultyRelay(URI server)
            throws IOException
    {
        this.server = requireNonNull(server, "server is null");
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    URI uri()
    {
        return URI.create("thrift://127.0.0.1:" + listener.getLocalPort());
    }

    /** Sets the source of faults, which one thread calls once per connection. */
    void fail(Supplier<Fault> faultOfTheNext)
    {
        next = faultOfTheNext;
    }

    /** Returns the number of connections with a fault. */
    int faults()
    {
        return faults.get();
    }

    @Override
    public void close()
            throws IOException
    {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void accept()
    {
        try {
            while (true) {
                Socket client = listener.accept();
                open.add(client);
                Fault fault = next.get();
                if (fault != Fault.NONE) {
                    faults.incrementAndGet();
                }
                if (fault != Fault.SILENCE) {
                    Socket behind = new Socket(server.getHost(), server.getPort());
                    open.add(behind);
                    start(() -> pass(client, behind, Fault.NONE));
                    start(() -> pass(behind, client, fault));
                }
            }
        }
        catch (IOException e) {
            if (!listener.isClosed()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void pass(Socket from, Socket to, Fault fault)
    {
        byte[] bytes = new byte[1 << 16];
        try (from; to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                if (fault != Fault.NONE) {
                    out.write(bytes, 0, fault == Fault.ANSWER_LOST ? 0 : count / 2);
                    return;
                }
                out.write(bytes, 0, count);
            }
        }
        catch (IOException e) {
            // the other direction has ended, and both ends notice it
        }
        finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static void start(Runnable task)
    {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        thread.start();
    }
}
