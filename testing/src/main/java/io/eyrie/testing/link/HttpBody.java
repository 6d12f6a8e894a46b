// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.link;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Forwards the body of one HTTP/1 message, for each kind of framing. */
final class HttpBody
{
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int MAX_LINE_BYTES = 1 << 16;

    /** Observes the body's bytes, without framing, before they are forwarded. */
    interface Watcher
    {
        /** Returns how many of the next {@code bytes} may pass; fewer than that ends the copying. */
        int next(int bytes)
                throws IOException;
    }

    private final InputStream in;
    private final OutputStream out;
    private final Watcher watcher;
    private final byte[] buffer = new byte[BUFFER_BYTES];

    HttpBody(InputStream in, OutputStream out, Watcher watcher)
    {
        this.in = in;
        this.out = out;
        this.watcher = watcher;
    }

    /** Forwards {@code length} bytes. Returns false if the watcher ended the copying. */
    boolean copyFixed(long length)
            throws IOException
    {
        long left = length;
        while (left > 0) {
            int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (read < 0) {
                throw new EOFException("The body ends " + left + " bytes early");
            }
            if (!pass(read)) {
                return false;
            }
            left -= read;
        }
        out.flush();
        return true;
    }

    /** Forwards everything until the sender closes. Returns false if the watcher ended the copying. */
    boolean copyToEnd()
            throws IOException
    {
        int read = in.read(buffer);
        while (read >= 0) {
            if (!pass(read)) {
                return false;
            }
            read = in.read(buffer);
        }
        out.flush();
        return true;
    }

    /** Forwards a chunked body with its framing and trailers. Returns false if the watcher ended the copying. */
    boolean copyChunked()
            throws IOException
    {
        while (true) {
            String size = passLine();
            int extension = size.indexOf(';');
            long length = Long.parseLong((extension < 0 ? size : size.substring(0, extension)).strip(), 16);
            if (length == 0) {
                break;
            }
            if (!copyFixed(length)) {
                return false;
            }
            passLine();
        }
        while (!passLine().isEmpty()) {
            // trailers
        }
        out.flush();
        return true;
    }

    private boolean pass(int bytes)
            throws IOException
    {
        int allowed = watcher.next(bytes);
        out.write(buffer, 0, allowed);
        if (allowed < bytes || in.available() == 0) {
            out.flush();
        }
        return allowed == bytes;
    }

    private String passLine()
            throws IOException
    {
        ByteArrayOutputStream line = new ByteArrayOutputStream(32);
        int next = in.read();
        while (next != '\n') {
            if (next < 0 || line.size() > MAX_LINE_BYTES) {
                throw new EOFException("The body ends in a chunk's head");
            }
            line.write(next);
            next = in.read();
        }
        line.write('\n');
        line.writeTo(out);
        return line.toString(StandardCharsets.ISO_8859_1).strip();
    }
}
