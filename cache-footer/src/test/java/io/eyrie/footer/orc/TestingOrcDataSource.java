// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.orc;

import com.facebook.presto.orc.AbstractOrcDataSource;
import com.facebook.presto.orc.OrcDataSourceId;
import io.airlift.units.DataSize;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import static io.airlift.units.DataSize.Unit.MEGABYTE;

/** An in-memory file that records its reads. */
final class TestingOrcDataSource
        extends AbstractOrcDataSource
{
    record Read(long position, int length)
    {}

    private final byte[] content;
    private final List<Read> reads = new ArrayList<>();

    TestingOrcDataSource(String path, byte[] content)
    {
        super(
                new OrcDataSourceId(path),
                content.length,
                new DataSize(1, MEGABYTE),
                new DataSize(8, MEGABYTE),
                new DataSize(8, MEGABYTE),
                true);
        this.content = content;
    }

    List<Read> reads()
    {
        return reads;
    }

    @Override
    protected void readInternal(long position, byte[] buffer, int offset, int length)
            throws IOException
    {
        if (position < 0 || position + length > content.length) {
            throw new EOFException("read beyond the end");
        }
        reads.add(new Read(position, length));
        System.arraycopy(content, (int) position, buffer, offset, length);
    }
}
