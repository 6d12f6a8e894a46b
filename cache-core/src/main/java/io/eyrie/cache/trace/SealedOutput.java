// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.trace;

import io.eyrie.cache.crypt.FrameCipher;
import io.eyrie.cache.crypt.KeyRing;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Objects;

/** Encrypts a trace, frame by frame. Closes its output. Not thread-safe. */
final class SealedOutput
        extends OutputStream
{
    private final OutputStream out;
    private final FrameCipher cipher;
    private final ByteBuffer frame = ByteBuffer.allocate(TraceFormat.FRAME_BYTES);
    private final ByteBuffer sealed = ByteBuffer.allocate(TraceFormat.FRAME_BYTES + FrameCipher.OVERHEAD_BYTES);

    SealedOutput(OutputStream out, KeyRing keys)
            throws IOException
    {
        this.out = out;
        long number = new SecureRandom().nextLong();
        cipher = keys.newFrameCipher(number);
        ByteBuffer header = ByteBuffer.allocate(2 * Long.BYTES + KeyRing.WRAPPED_KEY_BYTES);
        out.write(header.putLong(TraceFormat.SEALED_MAGIC).putLong(number).put(cipher.wrappedKey()).array());
    }

    @Override
    public void write(int value)
            throws IOException
    {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length)
            throws IOException
    {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        int done = 0;
        while (done < length) {
            int step = Math.min(length - done, frame.remaining());
            frame.put(bytes, offset + done, step);
            done += step;
            if (!frame.hasRemaining()) {
                writeFrame();
            }
        }
    }

    /** Only whole frames, except for the last, because an incomplete frame cannot be decrypted. */
    private void writeFrame()
            throws IOException
    {
        cipher.seal(frame.flip(), sealed.clear());
        out.write(sealed.array(), 0, sealed.position());
        frame.clear();
    }

    @Override
    public void close()
            throws IOException
    {
        try (out) {
            writeFrame();
        }
    }
}
