// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.select;

import com.facebook.presto.common.type.Type;
import com.facebook.presto.spi.RecordCursor;
import io.airlift.slice.Slice;

import static java.util.Objects.requireNonNull;

/** A cursor that reads its first row when it is created, and reports if it fails after that. Used by one thread at a time; closes the wrapped cursor. */
final class SelectedRows
        implements RecordCursor
{
    private final RecordCursor rows;
    private final boolean any;
    private final Runnable onFailure;
    private boolean begun;

    /**
     * Reads the first row, or throws the cursor's exception.
     *
     * @param onFailure called when a later row cannot be read
     */
    SelectedRows(RecordCursor rows, Runnable onFailure)
    {
        this.onFailure = requireNonNull(onFailure, "onFailure is null");
        this.rows = requireNonNull(rows, "rows is null");
        any = rows.advanceNextPosition();
    }

    @Override
    public boolean advanceNextPosition()
    {
        if (!begun) {
            begun = true;
            return any;
        }
        try {
            return any && rows.advanceNextPosition();
        }
        catch (RuntimeException e) {
            onFailure.run();
            throw e;
        }
    }

    @Override
    public long getCompletedBytes()
    {
        return rows.getCompletedBytes();
    }

    @Override
    public long getReadTimeNanos()
    {
        return rows.getReadTimeNanos();
    }

    @Override
    public Type getType(int field)
    {
        return rows.getType(field);
    }

    @Override
    public boolean getBoolean(int field)
    {
        return rows.getBoolean(field);
    }

    @Override
    public long getLong(int field)
    {
        return rows.getLong(field);
    }

    @Override
    public double getDouble(int field)
    {
        return rows.getDouble(field);
    }

    @Override
    public Slice getSlice(int field)
    {
        return rows.getSlice(field);
    }

    @Override
    public Object getObject(int field)
    {
        return rows.getObject(field);
    }

    @Override
    public boolean isNull(int field)
    {
        return rows.isNull(field);
    }

    @Override
    public long getSystemMemoryUsage()
    {
        return rows.getSystemMemoryUsage();
    }

    @Override
    public void close()
    {
        rows.close();
    }
}
