// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.link;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class HttpBodyTest
{
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final AtomicLong seen = new AtomicLong();

    private HttpBody body(String text)
    {
        return new HttpBody(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)), out, bytes -> {
            seen.addAndGet(bytes);
            return bytes;
        });
    }

    private String passed()
    {
        return out.toString(StandardCharsets.US_ASCII);
    }

    @Test
    void chunksTrailersAndExtensionsPassUnchangedAndAreNotCounted()
            throws IOException
    {
        String message = "4;name=value\r\nwiki\r\nA\r\n0123456789\r\n0\r\nX-Trailer: 1\r\n\r\n";
        assertThat(body(message + "next message").copyChunked()).isTrue();
        assertThat(passed()).isEqualTo(message);
        assertThat(seen).hasValue(14);
    }

    @Test
    void fixedLengthLeavesTheNextMessage()
            throws IOException
    {
        assertThat(body("0123456789next").copyFixed(10)).isTrue();
        assertThat(passed()).isEqualTo("0123456789");
    }

    @Test
    void bodyUntilTheEnd()
            throws IOException
    {
        assertThat(body("all of it").copyToEnd()).isTrue();
        assertThat(passed()).isEqualTo("all of it");
    }

    @Test
    void bodyShorterThanItsHeadSays()
    {
        assertThatThrownBy(() -> body("01234").copyFixed(10)).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> body("A\r\n01234").copyChunked()).isInstanceOf(EOFException.class);
    }

    @Test
    void watcherEndsTheBody()
            throws IOException
    {
        HttpBody body = new HttpBody(new ByteArrayInputStream("0123456789".getBytes(StandardCharsets.US_ASCII)), out, bytes -> 4);
        assertThat(body.copyFixed(10)).isFalse();
        assertThat(passed()).isEqualTo("0123");
    }
}
