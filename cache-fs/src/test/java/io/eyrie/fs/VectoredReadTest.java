// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.CachedFile;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.junit.jupiter.api.Test;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class VectoredReadTest
{
    private static final int LENGTH = 16 << 20;

    private final StreamCounters counters = new StreamCounters(new FileSystem.Statistics("test"));

    @Test
    void neighboursAreReadApart()
            throws Exception
    {
        TestingFile file = new TestingFile(position -> {});
        List<FileRange> ranges = List.of(range(1 << 20, 100), range((1 << 20) + 200, 100), range(8 << 20, 100));
        VectoredRead.start(file, ranges, ByteBuffer::allocate, buffer -> {}, counters);
        for (FileRange range : ranges) {
            checkBytes(range);
        }
        assertThat(file.reads).containsExactlyInAnyOrder("1048576+300", "8388608+100");
        Map<String, Long> counted = counters.statistics().counters();
        assertThat(counted.get(StreamStatisticNames.STREAM_READ_VECTORED_INCOMING_RANGES)).isEqualTo(3);
        assertThat(counted.get(StreamStatisticNames.STREAM_READ_VECTORED_COMBINED_RANGES)).isEqualTo(2);
        assertThat(counted.get(StreamStatisticNames.STREAM_READ_BYTES)).isEqualTo(300);
    }

    @Test
    void distantRangesWaitForEachOther()
            throws Exception
    {
        CyclicBarrier together = new CyclicBarrier(4);
        TestingFile file = new TestingFile(position -> {
            try {
                together.await(20, TimeUnit.SECONDS);
            }
            catch (Exception e) {
                throw new IOException(e);
            }
        });
        List<FileRange> ranges = List.of(range(0, 10), range(4 << 20, 10), range(8 << 20, 10), range(12 << 20, 10));
        VectoredRead.start(file, ranges, ByteBuffer::allocateDirect, buffer -> {}, counters);
        for (FileRange range : ranges) {
            checkBytes(range);
        }
    }

    @Test
    void failureKeepsBuffers()
            throws Exception
    {
        TestingFile file = new TestingFile(position -> {
            if (position >= 8 << 20) {
                throw new IOException("gone");
            }
        });
        Queue<ByteBuffer> released = new ConcurrentLinkedQueue<>();
        List<FileRange> ranges = List.of(range(0, 10), range(8 << 20, 10), range((8 << 20) + 50, 10));
        VectoredRead.start(file, ranges, ByteBuffer::allocate, released::add, counters);
        checkBytes(ranges.get(0));
        for (FileRange range : ranges.subList(1, 3)) {
            assertThatThrownBy(() -> range.getData().get(20, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IOException.class);
        }
        assertThat(released).hasSize(2);
        assertThat(counters.statistics().counters().get(StreamStatisticNames.STREAM_READ_EXCEPTIONS)).isEqualTo(1);
    }

    @Test
    void rangesThatCannotBeReadAreBegun()
    {
        TestingFile file = new TestingFile(position -> {});
        assertThatThrownBy(() -> VectoredRead.start(file, List.of(range(LENGTH - 1, 2)), ByteBuffer::allocate, buffer -> {}, counters))
                .isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> VectoredRead.start(file, List.of(range(0, 10), range(5, 10)), ByteBuffer::allocate, buffer -> {}, counters))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(file.reads).isEmpty();
    }

    private static FileRange range(long offset, int length)
    {
        return FileRange.createFileRange(offset, length);
    }

    private static void checkBytes(FileRange range)
            throws Exception
    {
        ByteBuffer buffer = range.getData().get(20, TimeUnit.SECONDS);
        assertThat(buffer.remaining()).isEqualTo(range.getLength());
        for (int i = 0; i < range.getLength(); i++) {
            assertThat(buffer.get()).isEqualTo(byteAt(range.getOffset() + i));
        }
    }

    private static byte byteAt(long position)
    {
        return (byte) (position * 31 + (position >> 8));
    }

    private interface Gate
    {
        void pass(long position)
                throws IOException;
    }

    private static final class TestingFile
            implements CachedFile
    {
        final Queue<String> reads = new ConcurrentLinkedQueue<>();

        private final Gate gate;

        TestingFile(Gate gate)
        {
            this.gate = gate;
        }

        @Override
        public FileVersion version()
        {
            return new FileVersion(StoreId.shared("test"), "file", LENGTH, 1, Optional.empty());
        }

        @Override
        public int read(long position, byte[] buffer, int offset, int length)
                throws IOException
        {
            return read(position, ByteBuffer.wrap(buffer, offset, length));
        }

        @Override
        public int read(long position, ByteBuffer buffer)
                throws IOException
        {
            gate.pass(position);
            int length = buffer.remaining();
            reads.add(position + "+" + length);
            for (int i = 0; i < length; i++) {
                buffer.put(byteAt(position + i));
            }
            return length;
        }

        @Override
        public void readFully(long position, byte[] buffer, int offset, int length)
                throws IOException
        {
            read(position, buffer, offset, length);
        }

        @Override
        public void close()
        {}
    }
}
