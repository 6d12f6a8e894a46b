// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fs;

import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares random reads (offset, length, method, thread) of the same files through the cache and without it: each pair must return the same bytes or
 * the same error. A failure names the seed, which {@code -Deyrie.seed} replays for one thread.
 */
final class DifferentialReads
{
    private static final int THREADS = 4;
    private static final int READS_PER_STREAM = 200;
    private static final List<Method> METHODS = List.of(Method.values());

    private final FileSystem wrapped;
    private final FileSystem unwrapped;
    private final List<Path> files;

    DifferentialReads(FileSystem wrapped, FileSystem unwrapped, List<Path> files)
    {
        this.wrapped = wrapped;
        this.unwrapped = unwrapped;
        this.files = List.copyOf(files);
    }

    /** Returns {@code reads}, or {@code stressReads} with {@code -Deyrie.stress=true}. */
    static int count(int reads, int stressReads)
    {
        return Boolean.getBoolean("eyrie.stress") ? stressReads : reads;
    }

    void run(int reads)
            throws Exception
    {
        long seed = Long.getLong("eyrie.seed", new Random().nextLong());
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Void>> results = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                long ownSeed = seed + i;
                results.add(threads.submit((Callable<Void>) () -> {
                    compare(ownSeed, reads / THREADS);
                    return null;
                }));
            }
            for (Future<Void> result : results) {
                result.get(1, TimeUnit.HOURS);
            }
        }
        finally {
            threads.shutdownNow();
        }
    }

    private void compare(long seed, int reads)
            throws Exception
    {
        Random random = new Random(seed);
        for (int done = 0; done < reads; done += READS_PER_STREAM) {
            Path file = files.get(random.nextInt(files.size()));
            long length = unwrapped.getFileStatus(file).getLen();
            try (FSDataInputStream ours = wrapped.open(file); FSDataInputStream theirs = unwrapped.open(file)) {
                for (int i = 0; i < Math.min(READS_PER_STREAM, reads - done); i++) {
                    Read read = Read.random(random, length);
                    assertThat(read.of(ours)).as("eyrie.seed=%s, read %s: %s of %s", seed, done + i, read, file).isEqualTo(read.of(theirs));
                    assertThat(ours.getPos()).as("eyrie.seed=%s, position after %s of %s", seed, read, file).isEqualTo(theirs.getPos());
                }
            }
        }
    }

    private enum Method
    {
        READ, READ_BYTE, READ_FULLY, BYTE_BUFFER, POSITIONED, POSITIONED_FULLY, VECTORED, SKIP, UNBUFFER
    }

    private record Read(Method method, long offset, int length, long seed)
    {
        static Read random(Random random, long fileLength)
        {
            Method method = METHODS.get(random.nextInt(METHODS.size()));
            int length = random.nextInt(10) == 0 ? random.nextInt(700_000) : random.nextInt(5_000);
            // sometimes at the end, or across it
            long offset = random.nextInt(20) == 0 ? Math.max(0, fileLength - random.nextInt(100)) : (long) (random.nextDouble() * fileLength);
            return new Read(method, offset, length, random.nextLong());
        }

        /** Returns the result of the read, with everything that a caller can see of it. */
        String of(FSDataInputStream stream)
                throws Exception
        {
            try {
                return switch (method) {
                    case READ -> {
                        stream.seek(offset);
                        byte[] bytes = new byte[length];
                        // each stream chooses how much it returns at a time
                        yield digest(bytes, fill(stream, bytes));
                    }
                    case READ_BYTE -> {
                        stream.seek(offset);
                        yield stream.read() + "," + stream.read();
                    }
                    case READ_FULLY -> {
                        stream.seek(offset);
                        byte[] bytes = new byte[length];
                        stream.readFully(bytes);
                        yield digest(bytes, length);
                    }
                    case BYTE_BUFFER -> {
                        stream.seek(offset);
                        yield byteBuffer(stream);
                    }
                    case POSITIONED -> {
                        byte[] bytes = new byte[length + 10];
                        int read = 0;
                        for (int last = 0; last >= 0 && read < length; read += Math.max(0, last)) {
                            last = stream.read(offset + read, bytes, 5 + read, length - read);
                        }
                        yield digest(bytes, read);
                    }
                    case POSITIONED_FULLY -> {
                        byte[] bytes = new byte[length];
                        stream.readFully(offset, bytes);
                        yield digest(bytes, length);
                    }
                    case VECTORED -> vectored(stream);
                    case SKIP -> {
                        stream.seek(offset / 2);
                        yield stream.skip(0) + "," + stream.read();
                    }
                    case UNBUFFER -> {
                        stream.unbuffer();
                        yield "";
                    }
                };
            }
            catch (EOFException e) {
                // the position of a stream after it could not return enough is undefined
                stream.seek(0);
                return "EOF";
            }
        }

        private static int fill(FSDataInputStream stream, byte[] bytes)
                throws IOException
        {
            int read = 0;
            for (int last = 0; last >= 0 && read < bytes.length; read += Math.max(0, last)) {
                last = stream.read(bytes, read, bytes.length - read);
            }
            return read;
        }

        private String byteBuffer(FSDataInputStream stream)
                throws IOException
        {
            byte[] bytes = new byte[length];
            if (!stream.hasCapability("in:readbytebuffer")) {
                return digest(bytes, fill(stream, bytes));
            }
            ByteBuffer buffer = seed % 2 == 0 ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
            int read = 0;
            while (buffer.hasRemaining() && read >= 0) {
                read = stream.read(buffer);
            }
            buffer.flip().get(bytes, 0, buffer.limit());
            return digest(bytes, buffer.limit());
        }

        private String vectored(FSDataInputStream stream)
                throws Exception
        {
            Random random = new Random(seed);
            List<FileRange> ranges = new ArrayList<>();
            long position = offset / 2;
            for (int i = 0; i < 1 + random.nextInt(5); i++) {
                position += random.nextInt(3) == 0 ? 0 : random.nextInt(200_000);
                ranges.add(FileRange.createFileRange(position, 1 + random.nextInt(length + 1)));
                position += length + 2;
            }
            long before = stream.getPos();
            stream.readVectored(ranges, seed % 2 == 0 ? ByteBuffer::allocateDirect : ByteBuffer::allocate);
            StringBuilder result = new StringBuilder();
            for (FileRange range : ranges) {
                ByteBuffer buffer;
                try {
                    buffer = range.getData().get(1, TimeUnit.MINUTES);
                }
                catch (ExecutionException e) {
                    if (e.getCause() instanceof EOFException eof) {
                        stream.seek(before);
                        throw eof;
                    }
                    throw e;
                }
                byte[] bytes = new byte[buffer.remaining()];
                buffer.get(bytes);
                result.append(digest(bytes, bytes.length)).append(';');
            }
            stream.seek(before);
            return result.toString();
        }

        private static String digest(byte[] bytes, int read)
        {
            return read + ":" + Arrays.hashCode(bytes);
        }
    }
}
