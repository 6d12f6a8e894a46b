// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import io.eyrie.footer.FooterStore.Area;
import io.eyrie.footer.FooterStore.ChunkBytes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

import static io.eyrie.footer.FooterStore.CHUNK_BYTES;

/** The chunks of a file that one load reads, from the store if it has them, otherwise from the file. Used by one thread. */
public final class FooterChunks
{
    private static final int MAX_LENGTH = 1 << 30;

    private final FooterStore store;
    private final Area area;
    private final FooterFile file;
    private final boolean stored;
    private final long epoch;
    private final Map<Long, ChunkBytes> chunks = new TreeMap<>();
    // for each chunk, the range that was requested, now or when it was stored
    private final Map<Long, Range> hulls = new HashMap<>();
    private final SortedSet<Long> missing = new TreeSet<>();
    private final Set<Long> fetched = new HashSet<>();
    // fetched chunks whose stored range is too short
    private final Set<Long> outgrown = new HashSet<>();

    /**
     * A run of adjacent missing chunks.
     *
     * @param position of its first byte in the file
     */
    public record Run(long position, int length)
    {}

    private record Range(int from, int to)
    {}

    /** Visits a range within a chunk; returns whether to continue. */
    private interface PartVisitor
    {
        boolean visit(long chunk, int from, int to);
    }

    FooterChunks(FooterStore store, Area area, boolean stored)
    {
        this.store = store;
        this.area = area;
        file = area.file();
        this.stored = stored;
        epoch = store.epoch();
    }

    /** Whether a range lies in the file, and is short enough to be held in memory as a whole. */
    public boolean contains(long position, long length)
    {
        long size = file.version().lengthBytes();
        return position >= 0 && length >= 0 && length <= MAX_LENGTH && position <= size - length;
    }

    /** Loads a range; the missing part is read in one piece if it is contiguous. */
    public void load(long position, int length, RangeReader reader)
            throws IOException
    {
        require(position, length);
        for (Run run : missing()) {
            byte[] bytes = new byte[run.length()];
            reader.readFully(run.position(), bytes, 0, bytes.length);
            add(run, bytes);
        }
    }

    /** Takes the available part of a range from the store; the rest becomes {@linkplain #missing missing}. */
    public void require(long position, int length)
    {
        forEachChunk(position, length, (chunk, from, to) -> {
            ChunkBytes here = chunks.get(chunk);
            if (here == null && stored && !missing.contains(chunk)) {
                here = store.get(area, chunk).orElse(null);
                if (here != null) {
                    chunks.put(chunk, here);
                    widen(chunk, here.offset(), here.end());
                }
            }
            if (here == null || !here.covers(from, to)) {
                missing.add(chunk);
            }
            widen(chunk, from, to);
            return true;
        });
    }

    /** Returns the required chunks that must still be {@linkplain #add added}, as runs of maximal length. */
    public List<Run> missing()
    {
        List<Run> runs = new ArrayList<>();
        for (long chunk : missing) {
            Range range = toRead(chunk);
            long position = chunk * CHUNK_BYTES + range.from();
            Run last = runs.isEmpty() ? new Run(-1, 0) : runs.get(runs.size() - 1);
            if (last.position() + last.length() == position && last.length() <= MAX_LENGTH) {
                runs.set(runs.size() - 1, new Run(last.position(), last.length() + range.to() - range.from()));
            }
            else {
                runs.add(new Run(position, range.to() - range.from()));
            }
        }
        return runs;
    }

    /** Whether a range is loaded, or will be once all missing runs are added. */
    public boolean covers(long position, int length)
    {
        return forEachChunk(position, length, (chunk, from, to) -> {
            ChunkBytes here = chunks.get(chunk);
            if (missing.contains(chunk)) {
                Range read = toRead(chunk);
                return read.from() <= from && to <= read.to();
            }
            return here != null && here.covers(from, to);
        });
    }

    /** Adds the bytes of a run. */
    public void add(Run run, byte[] bytes)
    {
        forEachChunk(run.position(), run.length(), (chunk, from, to) -> {
            int start = (int) (chunk * CHUNK_BYTES + from - run.position());
            ChunkBytes part = new ChunkBytes(from, Arrays.copyOfRange(bytes, start, start + to - from));
            if (chunks.put(chunk, part) != null) {
                outgrown.add(chunk);
            }
            fetched.add(chunk);
            missing.remove(chunk);
            return true;
        });
    }

    /** Copies a range that is loaded. */
    public void copy(long position, byte[] buffer, int offset, int length)
    {
        forEachChunk(position, length, (chunk, from, to) -> {
            ChunkBytes here = chunks.get(chunk);
            if (here == null || !here.covers(from, to)) {
                throw new IllegalStateException("not loaded: chunk " + chunk + " from " + from + " to " + to);
            }
            System.arraycopy(here.bytes(), from - here.offset(), buffer, (int) (offset + chunk * CHUNK_BYTES + from - position), to - from);
            return true;
        });
    }

    /** Stores the chunks that were read from the file. */
    public void keep()
    {
        fetched.forEach(chunk -> {
            ChunkBytes here = chunks.get(chunk);
            Range asked = hulls.get(chunk);
            if (here != null && asked != null) {
                ChunkBytes kept = here.slice(asked.from(), asked.to());
                if (outgrown.contains(chunk)) {
                    store.replace(area, chunk, kept, epoch);
                }
                else {
                    store.put(area, chunk, kept, epoch);
                }
            }
        });
        fetched.clear();
    }

    /**
     * Drops from the store the chunks that came from it, because they could not be parsed.
     *
     * @return chunks for another attempt, which reads only from the file; empty if all of these came from the file
     */
    public Optional<FooterChunks> forget()
    {
        boolean some = false;
        for (long chunk : chunks.keySet()) {
            if (!fetched.contains(chunk)) {
                store.invalidate(area, chunk);
                some = true;
            }
        }
        return some ? Optional.of(new FooterChunks(store, area, false)) : Optional.empty();
    }

    private Range toRead(long chunk)
    {
        Range whole = new Range(0, FooterStore.length(file, chunk));
        return area.wholeChunks() ? whole : hulls.getOrDefault(chunk, whole);
    }

    private void widen(long chunk, int from, int to)
    {
        hulls.merge(chunk, new Range(from, to), (one, other) -> new Range(Math.min(one.from(), other.from()), Math.max(one.to(), other.to())));
    }

    private static boolean forEachChunk(long position, int length, PartVisitor visitor)
    {
        long end = position + length;
        for (long at = position; at < end;) {
            long chunk = at / CHUNK_BYTES;
            long next = Math.min(end, (chunk + 1) * CHUNK_BYTES);
            if (!visitor.visit(chunk, (int) (at % CHUNK_BYTES), (int) (next - chunk * CHUNK_BYTES))) {
                return false;
            }
            at = next;
        }
        return true;
    }
}
