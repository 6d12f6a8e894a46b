// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import io.eyrie.cache.device.DeviceException;
import io.eyrie.cache.device.DeviceFile;
import io.eyrie.cache.device.DeviceOutcome;
import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;

/** Reads the frames of one file. Used by one thread. */
final class FrameReader
{
    private final DeviceFile file;
    private final Frame frame;
    private final ByteBuffer buffer;
    private final long lengthBytes;
    private long bufferStart;
    private long position = FileHeader.BYTES;
    private int number;

    /** @param buffer has at least {@link Frame#MAX_BYTES} */
    FrameReader(DeviceFile file, Frame frame, ByteBuffer buffer)
            throws DeviceException
    {
        this.file = file;
        this.frame = frame;
        this.buffer = buffer.limit(0);
        lengthBytes = file.lengthBytes();
    }

    /** Returns the records of the next frame, valid until the next call; null if no whole frame follows. */
    @Nullable
    ByteBuffer next(long firstSequence)
            throws DeviceException
    {
        if (!fill(Frame.HEADER_BYTES)) {
            return null;
        }
        int frameBytes = Frame.frameBytes(buffer);
        if (frameBytes == 0 || !fill(frameBytes)) {
            return null;
        }
        ByteBuffer records = frame.decode(buffer, number, firstSequence);
        if (records != null) {
            position += frameBytes;
            number++;
        }
        return records;
    }

    /** The same for a file with padded frames. If the next frame is not whole, the one after it can still be read. */
    @Nullable
    ByteBuffer nextPadded(long firstSequence)
            throws DeviceException
    {
        long start = position;
        int current = number;
        ByteBuffer records = next(firstSequence);
        position = start + Frame.MAX_BYTES;
        number = current + 1;
        return records;
    }

    /** Fills a buffer from within a file's length. A read that ends early is a failure of the disk, not the end of the journal. */
    static void readWithin(DeviceFile file, long position, ByteBuffer target)
            throws DeviceException
    {
        DeviceOutcome outcome = file.read(position, target);
        if (outcome != DeviceOutcome.OK) {
            throw new DeviceException(outcome == DeviceOutcome.END_OF_FILE ? DeviceOutcome.IO_ERROR : outcome, "Reading the journal failed");
        }
    }

    boolean isAtEnd()
    {
        return position >= lengthBytes;
    }

    /** Moves the buffer so that it starts with this number of bytes at the current position; returns false if the file ends before. */
    private boolean fill(int bytes)
            throws DeviceException
    {
        if (position + bytes > lengthBytes) {
            return false;
        }
        if (position + bytes > bufferStart + buffer.limit()) {
            bufferStart = position;
            buffer.clear().limit((int) Math.min(buffer.capacity(), lengthBytes - position));
            readWithin(file, position, buffer);
        }
        buffer.position((int) (position - bufferStart));
        return true;
    }
}
