package io.eyrie.fragment.result;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.BlockEncodingSerde;
import com.facebook.presto.spi.page.PagesSerde;
import com.facebook.presto.spi.page.PagesSerdeUtil;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.SliceInput;
import io.airlift.slice.SliceOutput;
import io.airlift.slice.Slices;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.OutputId;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** The bytes of a result, {@code docs/formats/fragment-result-v1.md}. Thread-safe. */
public final class ResultFormat
{
    /** Changes with the format; part of a key's {@code BUILD}. */
    public static final int VERSION = 1;

    private static final int MAGIC = 0x45594631; // EYF1
    private static final byte RAW = 0;
    private static final byte LZ4 = 1;

    private final BlockEncodingSerde blocks;
    private final boolean compressed;

    /**
     * @param compressed whether what is written is compressed by LZ4; both are read
     */
    public ResultFormat(BlockEncodingSerde blocks, boolean compressed)
    {
        this.blocks = requireNonNull(blocks, "blocks is null");
        this.compressed = compressed;
    }

    /** Writes the pages of one result. Used by one thread. */
    final class Writer
    {
        // what is known at the end: cost, pages, rows
        private static final int LATE_BYTES = 4 * Long.BYTES + Integer.BYTES;

        private final DynamicSliceOutput out = new DynamicSliceOutput(1024);
        private final PagesSerde serde = serde(compressed);
        private final int late;
        private int pages;
        private long rows;

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
            PagesSerdeUtil.writeSerializedPage(out, serde.serialize(page));
            pages++;
            rows += page.getPositionCount();
        }

        int bytes()
        {
            return out.size();
        }

        byte[] finish(Cost cost)
        {
            SliceOutput known = out.getUnderlyingSlice().slice(late, LATE_BYTES).getOutput();
            known.writeLong(cost.inputRows());
            known.writeLong(cost.inputBytes());
            known.writeLong(cost.cpuNanos());
            known.writeInt(pages);
            known.writeLong(rows);
            return out.slice().getBytes();
        }
    }

    Writer writer(FragmentKey key, List<OutputId> stored)
    {
        return new Writer(key, stored);
    }

    /** A result with the columns that {@code key} asks for; empty if these bytes are no whole result of its rows with these columns. */
    Optional<StoredResult> read(byte[] bytes, FragmentKey key)
    {
        try {
            return parse(bytes, key);
        }
        catch (RuntimeException e) {
            // the store's checksums say that these are the bytes that were put: a decoder that fails is of another build
            return Optional.empty();
        }
    }

    private Optional<StoredResult> parse(byte[] bytes, FragmentKey key)
    {
        SliceInput in = Slices.wrappedBuffer(bytes).getInput();
        if (in.readInt() != MAGIC) {
            return Optional.empty();
        }
        byte codec = in.readByte();
        BlobKey rows = new BlobKey(in.readLong(), in.readLong());
        int width = in.readInt();
        if (!rows.equals(key.rows()) || (codec != RAW && codec != LZ4) || width < 0 || width > bytes.length / OutputId.BYTES) {
            return Optional.empty();
        }
        List<OutputId> stored = new ArrayList<>(width);
        for (int i = 0; i < width; i++) {
            stored.add(new OutputId(in.readLong(), in.readLong()));
        }
        int[] channels = key.outputs().stream().mapToInt(stored::indexOf).toArray();
        for (int channel : channels) {
            if (channel < 0) {
                return Optional.empty();
            }
        }
        Cost cost = new Cost(in.readLong(), in.readLong(), in.readLong());
        return pages(in, codec == LZ4, width, channels).map(pages -> new StoredResult(pages, cost, bytes.length));
    }

    private Optional<List<Page>> pages(SliceInput in, boolean lz4, int width, int[] channels)
    {
        int count = in.readInt();
        long rows = in.readLong();
        PagesSerde serde = serde(lz4);
        List<Page> pages = new ArrayList<>();
        long read = 0;
        for (int i = 0; i < count; i++) {
            Page page = serde.deserialize(PagesSerdeUtil.readSerializedPage(in));
            if (page.getChannelCount() != width) {
                return Optional.empty();
            }
            read += page.getPositionCount();
            pages.add(page.extractChannels(channels));
        }
        return read == rows && !in.isReadable() ? Optional.of(pages) : Optional.empty();
    }

    private PagesSerde serde(boolean lz4)
    {
        Lz4 codec = new Lz4();
        return new PagesSerde(blocks, lz4 ? Optional.of(codec) : Optional.empty(), lz4 ? Optional.of(codec) : Optional.empty(), Optional.empty());
    }
}
