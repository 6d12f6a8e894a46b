// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.BlockEncodingSerde;
import com.facebook.presto.spi.page.PagesSerde;
import com.facebook.presto.spi.page.PagesSerdeUtil;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.airlift.slice.Slices;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.OutputId;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** The encoding of a result, {@code docs/formats/fragment-result-v2.md}. Thread-safe. */
public final class ResultFormat
{
    /** Changes with the format; part of a key's {@code BUILD}. */
    public static final int VERSION = 2;

    /** Pages larger than this in memory are split by rows, if splitting makes them smaller. */
    static final int FRAME_BYTES = 2 << 20;

    private static final int MAGIC = 0x45594632; // EYF2
    private static final byte RAW = 0;
    private static final byte LZ4 = 1;
    // magic, codec, rows, columns
    private static final int FIXED_BYTES = Integer.BYTES + 1 + 2 * Long.BYTES + Integer.BYTES;
    // cost, frames, rows, decoded bytes, longest frame, stored bytes
    private static final int LATE_BYTES = 5 * Long.BYTES + 3 * Integer.BYTES;
    private static final int FRAME_HEADER_BYTES = 3 * Integer.BYTES;
    // the halves of a page may duplicate shared values: if they grow the page by more than a quarter, it is not split
    private static final double MOST_GROWTH = 1.25;

    private final BlockEncodingSerde blocks;
    private final boolean compressed;

    /** @param compressed whether LZ4 compresses new results; both forms can be read */
    public ResultFormat(BlockEncodingSerde blocks, boolean compressed)
    {
        this.blocks = requireNonNull(blocks, "blocks is null");
        this.compressed = compressed;
    }

    /**
     * The header of a result.
     *
     * @param stored its columns, in stored order
     * @param decodedBytes memory of all its pages together
     * @param longestFrameBytes memory of its largest page
     * @param storedBytes its length
     */
    record Header(boolean lz4, List<OutputId> stored, Cost cost, int frames, long rows, long decodedBytes, int longestFrameBytes, int storedBytes)
    {
        /** Memory of the largest page beyond the allowance of every result. */
        int excessBytes()
        {
            return Math.max(0, longestFrameBytes - FRAME_BYTES);
        }
    }

    /** Writes the pages of one result. Used by one thread. */
    final class Writer
    {
        private final DynamicSliceOutput out = new DynamicSliceOutput(1024);
        private final PagesSerde serde = serde(compressed);
        private final int late;
        private int frames;
        private long rows;
        private long decodedBytes;
        private int longestFrameBytes;

        private Writer(FragmentKey key, List<OutputId> stored)
        {
            out.writeInt(MAGIC);
            out.writeByte(compressed ? LZ4 : RAW);
            out.writeLong(key.rows().hashHigh());
            out.writeLong(key.rows().hashLow());
            out.writeInt(stored.size());
            for (OutputId output : stored) {
                out.writeLong(output.high());
                out.writeLong(output.low());
            }
            late = out.size();
            out.writeZero(LATE_BYTES);
        }

        /** @param page with the columns in stored order */
        void add(Page page)
        {
            int half = page.getPositionCount() / 2;
            if (page.getSizeInBytes() > FRAME_BYTES && half > 0) {
                Page first = page.getRegion(0, half);
                Page second = page.getRegion(half, page.getPositionCount() - half);
                if (first.getSizeInBytes() + second.getSizeInBytes() <= page.getSizeInBytes() * MOST_GROWTH) {
                    add(first);
                    add(second);
                    return;
                }
            }
            frame(page);
        }

        private void frame(Page page)
        {
            int bytes = Math.toIntExact(page.getSizeInBytes());
            int start = out.size();
            out.writeInt(page.getPositionCount());
            out.writeInt(bytes);
            out.writeInt(0);
            PagesSerdeUtil.writeSerializedPage(out, serde.serialize(page));
            out.getUnderlyingSlice().setInt(start + 2 * Integer.BYTES, out.size() - start - FRAME_HEADER_BYTES);
            frames++;
            rows += page.getPositionCount();
            decodedBytes += bytes;
            longestFrameBytes = Math.max(longestFrameBytes, bytes);
        }

        int bytes()
        {
            return out.size();
        }

        /** Returns the memory that the writer holds. */
        long retainedBytes()
        {
            return out.getRetainedSize();
        }

        /** Memory of the largest page beyond the allowance of every result. */
        int excessBytes()
        {
            return Math.max(0, longestFrameBytes - FRAME_BYTES);
        }

        byte[] finish(Cost cost)
        {
            SliceOutput known = out.getUnderlyingSlice().slice(late, LATE_BYTES).getOutput();
            known.writeLong(cost.inputRows());
            known.writeLong(cost.inputBytes());
            known.writeLong(cost.cpuNanos());
            known.writeInt(frames);
            known.writeLong(rows);
            known.writeLong(decodedBytes);
            known.writeInt(longestFrameBytes);
            known.writeInt(out.size());
            return out.slice().getBytes();
        }
    }

    Writer writer(FragmentKey key, List<OutputId> stored)
    {
        return new Writer(key, stored);
    }

    /** Returns the length of the header of a result with this number of columns. */
    static int headerBytes(int columns)
    {
        return FIXED_BYTES + columns * OutputId.BYTES + LATE_BYTES;
    }

    /**
     * Returns the header of a result with the columns that {@code key} requests; empty if these bytes do not begin a result for the key's rows with
     * these columns.
     *
     * @param start the header and any number of further bytes
     */
    Optional<Header> header(byte[] start, FragmentKey key)
    {
        try {
            return parse(Slices.wrappedBuffer(start).getInput(), key);
        }
        catch (RuntimeException e) {
            // shorter than a header
            return Optional.empty();
        }
    }

    private static Optional<Header> parse(SliceInput in, FragmentKey key)
    {
        if (in.readInt() != MAGIC) {
            return Optional.empty();
        }
        byte codec = in.readByte();
        BlobKey rows = new BlobKey(in.readLong(), in.readLong());
        int width = in.readInt();
        if (!rows.equals(key.rows()) || (codec != RAW && codec != LZ4) || width < 0 || width > in.available() / OutputId.BYTES) {
            return Optional.empty();
        }
        List<OutputId> stored = new ArrayList<>(width);
        for (int i = 0; i < width; i++) {
            stored.add(new OutputId(in.readLong(), in.readLong()));
        }
        if (!new HashSet<>(stored).containsAll(key.outputs())) {
            return Optional.empty();
        }
        return Optional.of(new Header(
                codec == LZ4,
                stored,
                new Cost(in.readLong(), in.readLong(), in.readLong()),
                in.readInt(),
                in.readLong(),
                in.readLong(),
                in.readInt(),
                in.readInt()));
    }

    /**
     * Returns the pages of a result. The first is decoded now, each other one on demand. Empty if these bytes are not a complete result for
     * {@code key}'s rows with its columns.
     */
    Optional<Iterator<Page>> pages(byte[] bytes, FragmentKey key)
    {
        try {
            Optional<Header> header = header(bytes, key).filter(head -> isWhole(bytes, head));
            if (header.isEmpty()) {
                return Optional.empty();
            }
            PageFrames frames = new PageFrames(bytes, header.get(), key);
            frames.decode();
            return Optional.of(frames);
        }
        catch (RuntimeException e) {
            // the store's checksums have verified these bytes: if a decoder fails, another build wrote them
            return Optional.empty();
        }
    }

    /* Whether the header is followed by frames of these lengths and rows, and nothing else. */
    private static boolean isWhole(byte[] bytes, Header header)
    {
        SliceInput in = Slices.wrappedBuffer(bytes).getInput();
        in.setPosition(headerBytes(header.stored().size()));
        long rows = 0;
        for (int i = 0; i < header.frames(); i++) {
            rows += in.readInt();
            in.readInt();
            int length = in.readInt();
            if (length < 0 || length > in.available()) {
                return false;
            }
            in.setPosition(in.position() + length);
        }
        return rows == header.rows() && !in.isReadable() && bytes.length == header.storedBytes();
    }

    /** The pages of a complete result. Used by one thread. */
    private final class PageFrames
            implements Iterator<Page>
    {
        private final Slice bytes;
        private final PagesSerde serde;
        private final int width;
        private final int[] channels;
        private int position;
        private @Nullable Page ahead;

        PageFrames(byte[] bytes, Header header, FragmentKey key)
        {
            this.bytes = Slices.wrappedBuffer(bytes);
            this.serde = serde(header.lz4());
            this.width = header.stored().size();
            Map<OutputId, Integer> places = new HashMap<>();
            for (int i = 0; i < width; i++) {
                places.put(header.stored().get(i), i);
            }
            this.channels = key.outputs().stream().mapToInt(output -> requireNonNull(places.get(output), "no column")).toArray();
            this.position = headerBytes(width);
        }

        /* Decodes the next page, if there is one and it is not decoded yet. */
        private void decode()
        {
            if (ahead != null || position == bytes.length()) {
                return;
            }
            int rows = bytes.getInt(position);
            int length = bytes.getInt(position + 2 * Integer.BYTES);
            int start = position + FRAME_HEADER_BYTES;
            Page page = serde.deserialize(PagesSerdeUtil.readSerializedPage(bytes.slice(start, length).getInput()));
            if (page.getChannelCount() != width || page.getPositionCount() != rows) {
                throw new IllegalStateException("A frame has " + page.getChannelCount() + " columns and " + page.getPositionCount() + " rows, not "
                        + width + " and " + rows);
            }
            position = start + length;
            ahead = page.extractChannels(channels);
        }

        @Override
        public boolean hasNext()
        {
            return ahead != null || position < bytes.length();
        }

        @Override
        public Page next()
        {
            decode();
            Page page = ahead;
            ahead = null;
            if (page == null) {
                throw new NoSuchElementException();
            }
            return page;
        }
    }

    private PagesSerde serde(boolean lz4)
    {
        Lz4 codec = new Lz4();
        return new PagesSerde(blocks, lz4 ? Optional.of(codec) : Optional.empty(), lz4 ? Optional.of(codec) : Optional.empty(), Optional.empty());
    }
}
