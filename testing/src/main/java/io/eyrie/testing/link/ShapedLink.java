// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.link;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/**
 * An HTTP/1.1 link on loopback in front of an S3 server. It forwards heads and bodies unchanged, including Host, so that signatures stay valid. It
 * delays and limits requests, counts and records them, and injects faults. All of this can be changed while it runs.
 *
 * <p>Thread-safe. Each connection has its own thread. {@link #close} ends all connections.
 */
public final class ShapedLink
        implements AutoCloseable
{
    private static final int BACKLOG = 256;

    private final URI target;
    private final ServerSocket listener;
    private final ExecutorService threads;
    private final Set<LinkConnection> connections = ConcurrentHashMap.newKeySet();
    private final LinkLedger ledger = new LinkLedger();
    private final AtomicLong connected = new AtomicLong();
    private volatile LinkShape shape;
    private volatile FaultRule faults = new FaultRule(request -> Optional.empty());
    private volatile boolean closed;

    private ShapedLink(URI target, LinkShape shape)
    {
        this.target = requireNonNull(target, "target is null");
        this.shape = requireNonNull(shape, "shape is null");
        try {
            this.listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        AtomicLong count = new AtomicLong();
        this.threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "shaped-link-" + count.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Opens a link to the server at {@code http://host:port}. */
    public static ShapedLink open(URI target, LinkShape shape)
    {
        ShapedLink link = new ShapedLink(target, shape);
        link.threads.execute(link::accept);
        return link;
    }

    /** Returns the endpoint that clients use instead of the server's own. */
    public URI endpoint()
    {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    /** Changes the shape, beginning with the next request and the next bytes. */
    public void reshape(LinkShape newShape)
    {
        shape = requireNonNull(newShape, "newShape is null");
    }

    /** Injects the faults that {@code rule} returns for requests, until the next change. Requests that were stalled end. */
    public void injectFaults(Function<LinkRequest, Optional<LinkFault>> rule)
    {
        FaultRule before = faults;
        faults = new FaultRule(rule);
        before.changed().countDown();
    }

    /** Stops injecting faults. */
    public void clearFaults()
    {
        injectFaults(request -> Optional.empty());
    }

    /** Returns the counts since the link was opened. */
    public LinkCounts counts()
    {
        return ledger.counts();
    }

    /** Returns how many connections clients have made since the link was opened. */
    public long connections()
    {
        return connected.get();
    }

    /** Discards earlier records and records each request from now on. */
    public void startRecording()
    {
        ledger.startRecording();
    }

    /** Returns the requests since {@link #startRecording}, in the order of their arrival, and stops recording. */
    public List<RecordedRequest> stopRecording()
    {
        return ledger.stopRecording();
    }

    @Override
    public void close()
    {
        closed = true;
        try {
            listener.close();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        finally {
            clearFaults();
            connections.forEach(LinkConnection::close);
            threads.shutdownNow();
        }
    }

    private void accept()
    {
        while (!closed) {
            try {
                Socket client = listener.accept();
                connected.incrementAndGet();
                LinkConnection connection = new LinkConnection(this, client);
                connections.add(connection);
                threads.execute(connection);
                if (closed) {
                    connection.close();
                }
            }
            catch (SocketException | RejectedExecutionException e) {
                // the link is closed, or the client disconnected before it was served
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    URI target()
    {
        return target;
    }

    LinkShape shape()
    {
        return shape;
    }

    LinkLedger ledger()
    {
        return ledger;
    }

    FaultRule faults()
    {
        return faults;
    }

    void ended(LinkConnection connection)
    {
        connections.remove(connection);
    }

    /** A rule and a latch that opens when it is replaced. */
    record FaultRule(Function<LinkRequest, Optional<LinkFault>> rule, CountDownLatch changed)
    {
        FaultRule(Function<LinkRequest, Optional<LinkFault>> rule)
        {
            this(requireNonNull(rule, "rule is null"), new CountDownLatch(1));
        }

        void awaitChange()
        {
            try {
                changed.await();
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
