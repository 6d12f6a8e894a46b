package io.eyrie.footer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

import static io.eyrie.footer.FooterStore.CHUNK_BYTES;

/** The chunks of a file that one load reads: from the store where it has them, from the file otherwise. Used by one thread. */
public final class FooterChunks
{
    private static final int MAX_LENGTH = 1 << 30;

    private final FooterStore store;
    private final FooterFile file;
    private final boolean stored;
    private final long epoch;
    private final Map<Long, byte[]> chunks = new TreeMap<>();
    private final SortedSet<Long> missing = new TreeSet<>();
    private final Set<Long> fetched = new HashSet<>();

    /**
     * A run of neighbouring chunks that are missing.
     *
     * @param position of its first byte in the file
     */
    public record Run(long position, int length)
    {}

    FooterChunks(FooterStore store, FooterFile file, boolean stored)
    {
        this.store = store;
        this.file = file;
        this.stored = stored;
        epoch = store.epoch();
    }

    /** Whether a range lies in the file, and is short enough to be held in memory whole. */
    public boolean contains(long position, long length)
    {
        long size = file.version().lengthBytes();
        return position >= 0 && length >= 0 && length <= MAX_LENGTH && position <= size - length;
    }

    /** Makes sure that a range is here; what is missing is read in one piece, if it lies in one. */
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

    /** Takes from the store what it has of a range; the rest of it is {@linkplain #missing missing}. */
    public void require(long position, int length)
    {
        for (long chunk = position / CHUNK_BYTES; chunk * CHUNK_BYTES < position + length; chunk++) {
            if (!chunks.containsKey(chunk) && !missing.contains(chunk)) {
                Optional<byte[]> bytes = stored ? store.get(file, chunk) : Optional.empty();
                if (bytes.isPresent()) {
                    chunks.put(chunk, bytes.get());
                }
                else {
                    missing.add(chunk);
                }
            }
        }
    }

    /** The runs of chunks that were required and have to be {@linkplain #add added}, as long as can be. */
    public List<Run> missing()
    {
        List<Run> runs = new ArrayList<>();
        for (long chunk : missing) {
            Run last = runs.isEmpty() ? new Run(-1, 0) : runs.get(runs.size() - 1);
            int bytes = FooterStore.length(file, chunk);
            if (last.position() + last.length() == chunk * CHUNK_BYTES && last.length() <= MAX_LENGTH) {
                runs.set(runs.size() - 1, new Run(last.position(), last.length() + bytes));
            }
            else {
                runs.add(new Run(chunk * CHUNK_BYTES, bytes));
            }
        }
        return runs;
    }

    /** Whether a range is here, or will be once all that is missing was added. */
    public boolean covers(long position, int length)
    {
        for (long chunk = position / CHUNK_BYTES; chunk * CHUNK_BYTES < position + length; chunk++) {
            if (!chunks.containsKey(chunk) && !missing.contains(chunk)) {
                return false;
            }
        }
        return true;
    }

    /** Adds what a run was found to hold. */
    public void add(Run run, byte[] bytes)
    {
        int done = 0;
        while (done < run.length()) {
            long chunk = (run.position() + done) / CHUNK_BYTES;
            byte[] part = new byte[FooterStore.length(file, chunk)];
            System.arraycopy(bytes, done, part, 0, part.length);
            chunks.put(chunk, part);
            fetched.add(chunk);
            missing.remove(chunk);
            done += part.length;
        }
    }

    /** Copies a range that is here. */
    public void copy(long position, byte[] buffer, int offset, int length)
    {
        int done = 0;
        while (done < length) {
            long at = position + done;
            byte[] chunk = chunks.get(at / CHUNK_BYTES);
            if (chunk == null) {
                throw new IllegalStateException("not loaded: " + at);
            }
            int from = (int) (at % CHUNK_BYTES);
            int bytes = Math.min(length - done, chunk.length - from);
            System.arraycopy(chunk, from, buffer, offset + done, bytes);
            done += bytes;
        }
    }

    /** Keeps in the store what was read from the file. */
    public void keep()
    {
        fetched.forEach(chunk -> {
            byte[] bytes = chunks.get(chunk);
            if (bytes != null) {
                store.put(file, chunk, bytes, epoch);
            }
        });
        fetched.clear();
    }

    /**
     * Drops from the store what came from it: it could not be understood.
     *
     * @return chunks for another try, which come from the file alone; empty if all of these did
     */
    public Optional<FooterChunks> forget()
    {
        boolean some = false;
        for (long chunk : chunks.keySet()) {
            if (!fetched.contains(chunk)) {
                store.invalidate(file, chunk);
                some = true;
            }
        }
        return some ? Optional.of(new FooterChunks(store, file, false)) : Optional.empty();
    }
}
