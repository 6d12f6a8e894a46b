// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.parquet;

import com.facebook.presto.parquet.ParquetDataSource;
import io.eyrie.footer.FooterTail;

import java.io.IOException;
import java.io.UncheckedIOException;

import static java.util.Objects.requireNonNull;

/** A data source whose end is read through a {@link FooterTail}. */
final class TailParquetDataSource
        extends ForwardingParquetDataSource
{
    private final FooterTail tail;

    TailParquetDataSource(ParquetDataSource source, FooterTail tail)
    {
        super(source);
        this.tail = requireNonNull(tail, "tail is null");
    }

    @Override
    public void readFully(long position, byte[] buffer, int bufferOffset, int bufferLength)
    {
        try {
            tail.readFully(position, buffer, bufferOffset, bufferLength);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
