// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.log;

import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import io.eyrie.metastore.stored.PackedText;

import java.nio.ByteBuffer;

import static java.util.Objects.requireNonNull;

/**
 * A position in a notification log up to which all events were applied. Another process continues from it if the log still contains its event.
 *
 * @param metastore the name of the metastore's database, or empty
 * @param newest the event at the position, as a digest
 */
public record LogPosition(String metastore, LogEvent newest)
{
    public LogPosition
    {
        requireNonNull(metastore, "metastore is null");
        requireNonNull(newest, "newest is null");
    }

    /** Returns the bytes that {@link #decode} reads. */
    public ByteBuffer encode()
    {
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        PackedText.write(metastore, out);
        out.writeLong(newest.id());
        out.writeInt(newest.timeSeconds());
        PackedText.write(newest.type(), out);
        PackedText.write(newest.database(), out);
        PackedText.write(newest.table(), out);
        PackedText.write(newest.message(), out);
        return ByteBuffer.wrap(out.toByteArray());
    }

    /** Reads a position. Throws any unchecked exception if the bytes are not those of a position. */
    public static LogPosition decode(ByteBuffer bytes)
    {
        ByteBuffer in = bytes.duplicate();
        return new LogPosition(
                PackedText.read(in),
                new LogEvent(in.getLong(), in.getInt(), PackedText.read(in), PackedText.read(in), PackedText.read(in), PackedText.read(in)));
    }
}
