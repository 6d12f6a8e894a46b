// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.link;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A client's connection and the connection to the server behind it. One thread runs it; any thread may call {@link #close}. */
final class LinkConnection
        implements Runnable, AutoCloseable
{
    /*
     * Request     read the head; count it; ask for a fault; delay; forward head and body
     * Response    read the head; forward the body: count, then pace, then write
     * Server      one connection, opened when needed, and not reused after an idle time in which the server may have closed it
     */
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int CONNECT_TIMEOUT_MILLIS = 5_000;
    private static final long MAX_IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final byte[] SLOW_DOWN_BODY = ascii("<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>");
    private static final byte[] DENIED_BODY = ascii("<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>");

    private final ShapedLink link;
    private final Socket client;
    private final InputStream clientIn;
    private final OutputStream clientOut;
    private final Pacer upload = new Pacer();
    private final Pacer download = new Pacer();
    private volatile @Nullable Server server;
    private boolean bodyRefused;

    /** The connection to the server. */
    private static final class Server
    {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;
        private long usedAt = System.nanoTime();

        Server(Socket socket)
                throws IOException
        {
            this.socket = socket;
            this.in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
            this.out = new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES);
        }
    }

    LinkConnection(ShapedLink link, Socket client)
            throws IOException
    {
        this.link = link;
        this.client = client;
        client.setTcpNoDelay(true);
        this.clientIn = new BufferedInputStream(client.getInputStream(), BUFFER_BYTES);
        this.clientOut = new BufferedOutputStream(client.getOutputStream(), BUFFER_BYTES);
    }

    @Override
    public void run()
    {
        try {
            boolean goesOn = true;
            while (goesOn) {
                Optional<HttpHead> head = HttpHead.read(clientIn);
                goesOn = head.isPresent() && serve(head.get());
            }
        }
        catch (IOException e) {
            // one side closed its connection; closing both notifies the other
        }
        finally {
            close();
            link.ended(this);
        }
    }

    /** Serves one request. Returns false if the connection ends with it. */
    private boolean serve(HttpHead head)
            throws IOException
    {
        String method = head.startPart(0);
        String target = head.startPart(1);
        LinkRequest request = new LinkRequest(RequestKind.of(method, target), method, target, head.header("Range"));
        LinkLedger.Entry entry = link.ledger().arrived(request);
        ShapedLink.FaultRule faults = link.faults();
        Optional<LinkFault> fault = faults.rule().apply(request);
        Pacer.waitNanos(link.shape().requestDelay().toNanos());
        if (fault.isPresent() && fault.get().sparesServer()) {
            answerWithout(fault.get(), head, entry);
            return false;
        }
        HttpHead response = exchangeHeads(head);
        entry.answered(response.status());
        response.writeTo(clientOut);
        ResponseWatcher watcher = new ResponseWatcher(entry, fault.map(LinkFault::afterBytes).orElse(Long.MAX_VALUE));
        Server current = server();
        boolean whole = copyResponse(method, response, new HttpBody(current.in, clientOut, watcher));
        clientOut.flush();
        current.usedAt = System.nanoTime();
        if (fault.isPresent()) {
            breakOff(fault.get(), faults);
            return false;
        }
        boolean framed = response.isChunked() || response.contentLength().isPresent() || hasNoBody(method, response);
        return whole && framed && !bodyRefused && !head.endsConnection() && !response.endsConnection();
    }

    private void answerWithout(LinkFault fault, HttpHead head, LinkLedger.Entry entry)
            throws IOException
    {
        if (fault.kind() == LinkFault.Kind.REFUSE) {
            client.setSoLinger(true, 0);
            return;
        }
        if (!head.expectsContinue()) {
            copyRequest(head, new HttpBody(clientIn, OutputStream.nullOutputStream(), bytes -> bytes));
        }
        boolean denied = fault.kind() == LinkFault.Kind.DENIED;
        byte[] body = denied ? DENIED_BODY : SLOW_DOWN_BODY;
        entry.answered(denied ? 403 : 503);
        clientOut.write(ascii("HTTP/1.1 " + (denied ? "403 Forbidden" : "503 Slow Down")
                + "\r\nContent-Type: application/xml\r\nConnection: close\r\nContent-Length: " + body.length + "\r\n\r\n"));
        if (!head.startPart(0).equals("HEAD")) {
            entry.passed(body.length);
            clientOut.write(body);
        }
        clientOut.flush();
    }

    /** Sends the request and returns the head of the final response. */
    private HttpHead exchangeHeads(HttpHead request)
            throws IOException
    {
        Server current = connect();
        request.writeTo(current.out);
        if (request.expectsContinue()) {
            current.out.flush();
            HttpHead first = readResponse(current);
            if (first.status() / 100 != 1) {
                bodyRefused = true;
                return first;
            }
            first.writeTo(clientOut);
            clientOut.flush();
        }
        copyRequest(request, new HttpBody(clientIn, current.out, bytes -> {
            upload.pass(bytes, link.shape().bytesPerSecond());
            return bytes;
        }));
        current.out.flush();
        HttpHead response = readResponse(current);
        while (response.status() / 100 == 1) {
            response.writeTo(clientOut);
            response = readResponse(current);
        }
        return response;
    }

    private static HttpHead readResponse(Server server)
            throws IOException
    {
        return HttpHead.read(server.in).orElseThrow(() -> new IOException("The server closed the connection"));
    }

    private static void copyRequest(HttpHead head, HttpBody body)
            throws IOException
    {
        if (head.isChunked()) {
            body.copyChunked();
        }
        else {
            body.copyFixed(head.contentLength().orElse(0L));
        }
    }

    private static boolean copyResponse(String method, HttpHead head, HttpBody body)
            throws IOException
    {
        if (hasNoBody(method, head)) {
            return true;
        }
        if (head.isChunked()) {
            return body.copyChunked();
        }
        if (head.contentLength().isPresent()) {
            return body.copyFixed(head.contentLength().get());
        }
        return body.copyToEnd();
    }

    private static boolean hasNoBody(String method, HttpHead response)
            throws IOException
    {
        return method.equals("HEAD") || response.status() == 204 || response.status() == 304;
    }

    private void breakOff(LinkFault fault, ShapedLink.FaultRule faults)
            throws IOException
    {
        if (fault.kind() == LinkFault.Kind.STALL) {
            faults.awaitChange();
        }
        if (fault.kind() != LinkFault.Kind.TRUNCATE) {
            client.setSoLinger(true, 0);
        }
    }

    private Server connect()
            throws IOException
    {
        Server current = server;
        if (current != null && System.nanoTime() - current.usedAt < MAX_IDLE_NANOS) {
            return current;
        }
        closeServer();
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(link.target().getHost(), link.target().getPort()), CONNECT_TIMEOUT_MILLIS);
            current = new Server(socket);
        }
        catch (IOException e) {
            socket.close();
            throw e;
        }
        server = current;
        return current;
    }

    private Server server()
            throws IOException
    {
        Server current = server;
        if (current == null) {
            throw new IOException("The link is closed");
        }
        return current;
    }

    private static byte[] ascii(String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private void closeServer()
    {
        Server current = server;
        server = null;
        if (current != null) {
            closeQuietly(current.socket);
        }
    }

    @Override
    public void close()
    {
        closeQuietly(client);
        closeServer();
    }

    private static void closeQuietly(Socket socket)
    {
        try {
            socket.close();
        }
        catch (IOException e) {
            // the connection is unusable either way
        }
    }

    /** Counts bytes, stops at the position of a fault, and paces. */
    private final class ResponseWatcher
            implements HttpBody.Watcher
    {
        private final LinkLedger.Entry entry;
        private long left;

        ResponseWatcher(LinkLedger.Entry entry, long limit)
        {
            this.entry = entry;
            this.left = limit;
        }

        @Override
        public int next(int bytes)
        {
            int allowed = (int) Math.min(bytes, left);
            left -= allowed;
            entry.passed(allowed);
            download.pass(allowed, link.shape().bytesPerSecond());
            return allowed;
        }
    }
}
