// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.link;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The head of an HTTP/1 message. It is stored and forwarded byte for byte, so that a client's signature stays valid. */
final class HttpHead
{
    private static final int MAX_BYTES = 1 << 20;
    private static final Pattern LINE_END = Pattern.compile("\r?\n");

    private final byte[] bytes;
    private final List<String> lines;

    private HttpHead(byte[] bytes)
    {
        this.bytes = bytes;
        this.lines = Arrays.asList(LINE_END.split(new String(bytes, StandardCharsets.ISO_8859_1)));
    }

    /** Reads a head. Returns empty if the stream ends before its first byte. */
    static Optional<HttpHead> read(InputStream in)
            throws IOException
    {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        int inARow = 0;
        while (inARow < 2) {
            int next = in.read();
            if (next < 0) {
                if (bytes.size() == 0) {
                    return Optional.empty();
                }
                throw new EOFException("The stream ends in a head");
            }
            bytes.write(next);
            if (bytes.size() > MAX_BYTES) {
                throw new IOException("A head of more than " + MAX_BYTES + " bytes");
            }
            if (next == '\n') {
                inARow++;
            }
            else if (next != '\r') {
                inARow = 0;
            }
        }
        return Optional.of(new HttpHead(bytes.toByteArray()));
    }

    void writeTo(OutputStream out)
            throws IOException
    {
        out.write(bytes);
    }

    /** Returns one of the three parts of the first line. */
    String startPart(int index)
            throws IOException
    {
        String[] parts = lines.get(0).split(" ", 3);
        if (parts.length <= index) {
            throw new IOException("Not an HTTP message: " + lines.get(0));
        }
        return parts[index];
    }

    int status()
            throws IOException
    {
        return Integer.parseInt(startPart(1));
    }

    Optional<String> header(String name)
    {
        String prefix = name.toLowerCase(Locale.ROOT) + ":";
        return lines.stream()
                .skip(1)
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
                .map(line -> line.substring(prefix.length()).strip())
                .findFirst();
    }

    private boolean headerHas(String name, String value)
    {
        return header(name).filter(actual -> actual.toLowerCase(Locale.ROOT).contains(value)).isPresent();
    }

    boolean expectsContinue()
    {
        return headerHas("Expect", "100-continue");
    }

    boolean endsConnection()
    {
        return headerHas("Connection", "close") || lines.get(0).contains("HTTP/1.0");
    }

    boolean isChunked()
    {
        return headerHas("Transfer-Encoding", "chunked");
    }

    /** Returns the body's length according to the head. Chunked bodies, and bodies that end with the connection, have none. */
    Optional<Long> contentLength()
    {
        return header("Content-Length").map(Long::valueOf);
    }
}
