// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.trace;

import io.eyrie.cache.crypt.FrameCipher;
import io.eyrie.cache.crypt.KeyRing;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Decrypts the output of {@link SealedOutput}. Closes its input. Not thread-safe. */
final class SealedInput
        extends InputStream
{
    private final InputStream in;
    private final FrameCipher cipher;
    private final ByteBuffer frame = ByteBuffer.allocate(TraceFormat.FRAME_BYTES).limit(0);
    private long frames;
    private boolean ended;

    /** Starts after the eight bytes that mark the trace as encrypted. */
    SealedInput(InputStream in, KeyRing keys)
            throws IOException
    {
        this.in = in;
        ByteBuffer header = ByteBuffer.wrap(in.readNBytes(Long.BYTES + KeyRing.WRAPPED_KEY_BYTES));
        if (header.remaining() < Long.BYTES + KeyRing.WRAPPED_KEY_BYTES) {
            throw new EOFException("The trace ends within its header");
        }
        long number = header.getLong();
        byte[] wrapped = new byte[KeyRing.WRAPPED_KEY_BYTES];
        header.get(wrapped);
        cipher = keys.frameCipher(number, wrapped).orElseThrow(() -> new IOException(
                "The trace was encrypted with a key that was not given, or its header is damaged"));
    }

    @Override
    public int read()
            throws IOException
    {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int offset, int length)
            throws IOException
    {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        while (!frame.hasRemaining() && !ended) {
            readFrame();
        }
        if (!frame.hasRemaining()) {
            return -1;
        }
        int step = Math.min(length, frame.remaining());
        frame.get(bytes, offset, step);
        return step;
    }

    private void readFrame()
            throws IOException
    {
        byte[] sealed = in.readNBytes(TraceFormat.FRAME_BYTES + FrameCipher.OVERHEAD_BYTES);
        ended = sealed.length < TraceFormat.FRAME_BYTES + FrameCipher.OVERHEAD_BYTES;
        if (sealed.length == 0) {
            throw new EOFException("The trace was cut off");
        }
        frame.clear();
        if (!cipher.open(frames, ByteBuffer.wrap(sealed), frame)) {
            // the last frame is complete only if the trace was ended
            throw ended
                    ? new EOFException("The trace was cut off")
                    : new IOException("The trace is damaged: frame " + frames + " does not verify");
        }
        frame.flip();
        frames++;
    }

    @Override
    public void close()
            throws IOException
    {
        in.close();
    }
}
