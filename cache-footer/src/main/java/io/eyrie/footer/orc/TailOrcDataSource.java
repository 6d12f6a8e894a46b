// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.orc;

import com.facebook.presto.orc.DiskRange;
import com.facebook.presto.orc.OrcDataSource;
import com.facebook.presto.orc.OrcDataSourceId;
import com.facebook.presto.orc.OrcDataSourceInput;
import io.eyrie.footer.FooterTail;

import java.io.IOException;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/** A data source whose end is read through a {@link FooterTail}. Closes nothing. */
final class TailOrcDataSource
        implements OrcDataSource
{
    private final OrcDataSource source;
    private final FooterTail tail;

    TailOrcDataSource(OrcDataSource source, FooterTail tail)
    {
        this.source = requireNonNull(source, "source is null");
        this.tail = requireNonNull(tail, "tail is null");
    }

    @Override
    public OrcDataSourceId getId()
    {
        return source.getId();
    }

    @Override
    public long getReadBytes()
    {
        return source.getReadBytes();
    }

    @Override
    public long getReadTimeNanos()
    {
        return source.getReadTimeNanos();
    }

    @Override
    public long getSize()
    {
        return source.getSize();
    }

    @Override
    public void readFully(long position, byte[] buffer)
            throws IOException
    {
        readFully(position, buffer, 0, buffer.length);
    }

    @Override
    public void readFully(long position, byte[] buffer, int bufferOffset, int bufferLength)
            throws IOException
    {
        tail.readFully(position, buffer, bufferOffset, bufferLength);
    }

    @Override
    public <K> Map<K, OrcDataSourceInput> readFully(Map<K, DiskRange> diskRanges)
            throws IOException
    {
        return source.readFully(diskRanges);
    }

    @Override
    public String toString()
    {
        return source.toString();
    }
}
