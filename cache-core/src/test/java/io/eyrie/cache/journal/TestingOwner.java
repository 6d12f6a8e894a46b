// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** A state of numbered cells. The change with number N sets one cell to N, so the state after N changes is known. */
final class TestingOwner
        implements JournalOwner
{
    static final int CELLS = 50;
    static final int RECORD_BYTES = 40;
    static final String MARKER = "secret/path/of/a/file";

    private final Map<Integer, Long> cells = new ConcurrentSkipListMap<>();
    private volatile Runnable duringSnapshot = () -> {};
    private volatile boolean refusing;

    /** Returns the state after changes 1 to {@code changes}. */
    static Map<Integer, Long> stateAfter(long changes)
    {
        Map<Integer, Long> state = new TreeMap<>();
        for (long change = Math.max(1, changes - CELLS + 1); change <= changes; change++) {
            state.put(cell(change), change);
        }
        return state;
    }

    static int cell(long change)
    {
        // a prime factor, so that adjacent changes are not adjacent in a snapshot
        return (int) (change * 7 % CELLS);
    }

    static ByteBuffer record(long change)
    {
        ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES).putInt(cell(change)).putLong(change);
        return record.put(MARKER.getBytes(StandardCharsets.US_ASCII)).rewind();
    }

    /** Sets an action that runs in the middle of every snapshot. */
    void setDuringSnapshot(Runnable action)
    {
        duringSnapshot = action;
    }

    void refuse()
    {
        refusing = true;
    }

    /** Changes the state and appends the change. */
    AppendOutcome change(Journal journal, long change)
    {
        cells.put(cell(change), change);
        return journal.append(record(change));
    }

    void change(Journal journal, long first, long last)
    {
        for (long change = first; change <= last; change++) {
            change(journal, change);
        }
    }

    Map<Integer, Long> state()
    {
        return new TreeMap<>(cells);
    }

    /** Returns the last change in the state. */
    long lastChange()
    {
        return cells.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    @Override
    public boolean replay(ByteBuffer record)
    {
        if (refusing) {
            return false;
        }
        long change = record.getLong(record.position() + Integer.BYTES);
        if (!record.equals(record(change))) {
            throw new AssertionError("a record that was not written: " + record);
        }
        cells.put(cell(change), change);
        return true;
    }

    @Override
    public void snapshot(RecordSink sink)
    {
        int count = 0;
        for (long change : cells.values()) {
            if (count == CELLS / 2) {
                duringSnapshot.run();
            }
            if (!sink.write(record(change))) {
                return;
            }
            count++;
        }
    }
}
