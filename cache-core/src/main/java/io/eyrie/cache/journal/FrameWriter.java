// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.crypt.FrameCipher;
import io.eyrie.cache.crypt.KeyRing;
import io.eyrie.cache.device.Device;
import io.eyrie.cache.device.Device.OpenMode;
import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceFile;
import io.eyrie.cache.device.DeviceOutcome;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Writes a log or a snapshot. After a failure, nothing more may be written to it, so that no frame is written twice. Used by one thread. */
final class FrameWriter
        implements AutoCloseable
{
    private final DeviceFile file;
    private final FileHeader header;
    private final Frame frame;
    // a header or a frame that is being written
    private final ByteBuffer buffer;
    private long lengthBytes = FileHeader.BYTES;
    private int frames;
    private long records;

    private FrameWriter(DeviceFile file, FileHeader header, Frame frame, ByteBuffer buffer)
    {
        this.file = file;
        this.header = header;
        this.frame = frame;
        this.buffer = buffer;
    }

    /** Creates the file, or replaces it with an empty one. Does not write its header yet. */
    static FrameWriter create(Device device, Path path, FileHeader header, @Nullable KeyRing keys, ByteBuffer buffer)
            throws DeviceException
    {
        FrameCipher cipher = keys == null ? null : keys.newFrameCipher(header.number());
        FileHeader complete = cipher == null ? header : header.withWrappedKey(cipher.wrappedKey());
        return new FrameWriter(device.open(path, OpenMode.REPLACE), complete, new Frame(complete, cipher), buffer);
    }

    long lengthBytes()
    {
        return lengthBytes;
    }

    /** Writes the header, with the current numbers of frames and records. */
    DeviceOutcome writeHeader()
    {
        header.withCounts(frames, records).write(buffer.clear());
        return file.write(0, buffer.flip());
    }

    /** Writes a frame of whole records. */
    DeviceOutcome write(ByteBuffer framed, int recordCount, long firstSequence)
    {
        return writeFrame(framed, recordCount, firstSequence, false);
    }

    /** The same, but every frame starts at a multiple of {@link Frame#MAX_BYTES} after the header. */
    DeviceOutcome writePadded(ByteBuffer framed, int recordCount)
    {
        return writeFrame(framed, recordCount, header.firstSequence(), true);
    }

    private DeviceOutcome writeFrame(ByteBuffer framed, int recordCount, long firstSequence, boolean padded)
    {
        frame.encode(framed, recordCount, frames, firstSequence, buffer.clear());
        while (padded && buffer.hasRemaining()) {
            buffer.put((byte) 0);
        }
        int bytes = buffer.flip().remaining();
        DeviceOutcome outcome = file.write(lengthBytes, buffer);
        lengthBytes += bytes;
        frames++;
        records += recordCount;
        return outcome;
    }

    DeviceOutcome force()
    {
        return file.force();
    }

    @Override
    public void close()
    {
        file.close();
    }
}
