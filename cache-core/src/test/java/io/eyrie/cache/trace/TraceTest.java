// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.trace;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;
import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TraceTest
{
    private static final Scope CLICKS = new Scope("hive", "web", "clicks", "ds=2026-11-21/größe=1");

    @Test
    void whatWasWrittenIsRead()
            throws IOException
    {
        List<TraceRecord> records = new ArrayList<>(records(2000));
        records.add(new TraceRecord(-5, new PageKey(-1, Long.MIN_VALUE, Long.MAX_VALUE), tags(Scope.NONE), Integer.MAX_VALUE, Integer.MAX_VALUE, 0,
                ReadOutcome.BUSY));
        records.add(new TraceRecord(Long.MAX_VALUE, new PageKey(0, 0, 0), tags(CLICKS), 1, 0, 1, ReadOutcome.CORRUPT));

        assertThat(read(written(records, false))).isEqualTo(records);
    }

    @Test
    void lookupTakesAFewBytes()
            throws IOException
    {
        assertThat(written(records(20_000), false)).hasSizeLessThan(20_000 * 12);
    }

    @Test
    void moreFilesThanAreNumbered()
            throws IOException
    {
        List<TraceRecord> records = IntStream.range(0, 150_000)
                .mapToObj(i -> new TraceRecord(i, new PageKey(7, i % 70_000, i), tags(CLICKS), 1 << 20, 0, 1, ReadOutcome.MISS))
                .toList();
        assertThat(read(written(records, false))).isEqualTo(records);
    }

    @Test
    void namesAreHashedOnRequest()
            throws IOException
    {
        List<TraceRecord> records = records(10);
        List<TraceRecord> read = read(written(records, true));
        List<TraceRecord> again = read(written(records, true));

        assertThat(read).extracting(TraceRecord::page).isEqualTo(records.stream().map(TraceRecord::page).toList());
        Scope hashed = read.get(0).tags().scope();
        assertThat(hashed.table()).hasSize(16).isNotEqualTo(again.get(0).tags().scope().table());
        assertThat(read).allMatch(record -> record.tags().scope().table().isEmpty() || record.tags().scope().table().equals(hashed.table()));
    }

    @Test
    void longName()
            throws IOException
    {
        Scope scope = new Scope("hive", "web", "clicks", "x".repeat(100_000));
        TraceRecord record = new TraceRecord(1, new PageKey(1, 2, 3), tags(scope), 1, 0, 1, ReadOutcome.HIT);
        assertThat(read(written(List.of(record), false)).get(0).tags().scope().partition()).hasSize(16);
    }

    @Test
    void traceThatWasNotEnded()
            throws IOException
    {
        List<TraceRecord> records = records(5000);
        byte[] bytes = written(records, false);
        byte[] cut = Arrays.copyOf(bytes, bytes.length / 2);
        List<TraceRecord> read = new ArrayList<>();
        assertThatThrownBy(() -> read(cut, read)).isInstanceOf(EOFException.class);
        assertThat(read).isNotEmpty().isEqualTo(records.subList(0, read.size()));
    }

    @Property(tries = 2000)
    void damagedTrace(@ForAll @IntRange(min = 0, max = 1000) int place, @ForAll byte value)
            throws IOException
    {
        byte[] plain;
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(written(records(50), false)))) {
            plain = in.readAllBytes();
        }
        plain[place % plain.length] = value;
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        }
        List<TraceRecord> read = new ArrayList<>();
        try {
            read(packed.toByteArray(), read);
        }
        catch (IOException expected) {
            assertThat(expected).hasMessageNotContaining("null");
        }
        assertThat(read).hasSizeLessThanOrEqualTo(plain.length);
    }

    @Property(tries = 2000)
    void traceWhoseFileIsDamagedAnywhereIsNotTakenForWhole(@ForAll @IntRange(min = 0, max = 3) int kind, @ForAll Random random)
            throws IOException
    {
        List<TraceRecord> records = records(200);
        byte[] file = damaged(written(records, false), kind, random);
        List<TraceRecord> read = new ArrayList<>();
        boolean whole = false;
        try {
            read(file, read);
            whole = true;
        }
        catch (IOException expected) {
            // records before the exception may be wrong; the caller knows this from the exception
        }
        assertThat(!whole || read.equals(records)).isTrue();
    }

    private static byte[] damaged(byte[] file, int kind, Random random)
    {
        int from = random.nextInt(file.length);
        int to = from + random.nextInt(Math.min(100, file.length - from)) + 1;
        switch (kind) {
            case 0 -> file[from] ^= (byte) (1 << random.nextInt(8));
            case 1 -> Arrays.fill(file, from, to, (byte) 0);
            case 2 -> {
                byte[] junk = new byte[to - from];
                random.nextBytes(junk);
                System.arraycopy(junk, 0, file, from, junk.length);
            }
            default -> {
                return Arrays.copyOf(file, from);
            }
        }
        return file;
    }

    @Test
    void fileThatIsNoTrace()
            throws IOException
    {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(new byte[100]);
        }
        assertThatThrownBy(() -> read(packed.toByteArray()))
                .isInstanceOf(IOException.class)
                .hasMessage("This is not a trace that this version can read: it begins with 0, not 4559524945545201");
        assertThatThrownBy(() -> read(new byte[] {1, 2, 3})).isInstanceOf(IOException.class);
    }

    @Test
    void recorderWritesWhatThreadsSee()
            throws IOException
    {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        AtomicLong clock = new AtomicLong();
        TraceRecorder recorder = new TraceRecorder(new TraceWriter(bytes, false), clock::incrementAndGet, Long.MAX_VALUE);
        int lookups = 200_000;
        try (recorder) {
            IntStream.range(0, lookups).parallel().forEach(i -> recorder.onLookup(
                    new PageKey(i % 10, 1, i),
                    tags(CLICKS),
                    1 << 20,
                    i,
                    i + 1,
                    ReadOutcome.HIT));
        }
        List<TraceRecord> read = read(bytes.toByteArray());
        assertThat(recorder.written()).isEqualTo(read.size()).isPositive();
        assertThat(recorder.written() + recorder.lost()).isEqualTo(lookups);
        assertThat(recorder.failure()).isEmpty();
        assertThat(read).extracting(record -> record.page().pageNumber()).doesNotHaveDuplicates();
        assertThat(read).allMatch(record -> record.offsetInPage() == record.page().pageNumber() && record.lengthBytes() == record.offsetInPage() + 1);
    }

    @Test
    void processThatIsKilledLosesItsTrace()
            throws IOException
    {
        List<TraceRecord> records = records(10);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceRecorder recorder = new TraceRecorder(new TraceWriter(bytes, false), () -> 1, Long.MAX_VALUE)) {
            records.forEach(record -> hear(recorder, record));
            List<TraceRecord> read = List.of();
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
            while (read.size() < records.size() && System.nanoTime() < deadline) {
                Thread.onSpinWait();
                read = readUntilCutOff(bytes.toByteArray());
            }
            assertThat(read).extracting(TraceRecord::page).isEqualTo(records.stream().map(TraceRecord::page).toList());
        }
    }

    private static List<TraceRecord> readUntilCutOff(byte[] trace)
            throws IOException
    {
        List<TraceRecord> read = new ArrayList<>();
        try (TraceReader reader = new TraceReader(new ByteArrayInputStream(trace))) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                read.add(record);
            }
        }
        catch (EOFException e) {
            // not ended yet
        }
        return read;
    }

    @Test
    void recorderEndsAtItsBound()
            throws IOException
    {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TraceRecorder recorder = new TraceRecorder(new TraceWriter(bytes, false), () -> 1, 10);
        try (recorder) {
            for (TraceRecord record : records(100)) {
                hear(recorder, record);
            }
        }
        hear(recorder, records(1).get(0));
        assertThat(read(bytes.toByteArray())).hasSize(10);
        assertThat(recorder.lost()).isPositive();
    }

    @Test
    void recorderWhoseDiskFails()
            throws IOException
    {
        TraceRecorder recorder = new TraceRecorder(new TraceWriter(new OutputStream() {
            private int written;

            @Override
            public void write(int value)
                    throws IOException
            {
                written++;
                if (written > 100) {
                    throw new IOException("No space left on device");
                }
            }
        }, false), () -> 1, Long.MAX_VALUE);
        for (TraceRecord record : records(1000)) {
            hear(recorder, record);
        }
        assertThatThrownBy(recorder::close).isInstanceOf(IOException.class).hasMessage("No space left on device");
        assertThat(recorder.failure()).isPresent();
    }

    @Test
    void lostLookupsAreNoted()
            throws IOException
    {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, false)) {
            writer.writeLost(7);
            writer.write(records(1).get(0));
            writer.writeLost(2);
        }
        try (TraceReader reader = new TraceReader(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(reader.next()).isEqualTo(records(1).get(0));
            assertThat(reader.lost()).isEqualTo(7);
            assertThat(reader.next()).isNull();
            assertThat(reader.lost()).isEqualTo(9);
        }
    }

    private static void hear(TraceListener listener, TraceRecord record)
    {
        listener.onLookup(record.page(), record.tags(), record.pageLengthBytes(), record.offsetInPage(), record.lengthBytes(), record.outcome());
    }

    private static List<TraceRecord> records(int count)
    {
        SplittableRandom random = new SplittableRandom(3);
        return IntStream.range(0, count)
                .mapToObj(i -> new TraceRecord(
                        1_795_000_000_000L + i * 3L - random.nextInt(10),
                        new PageKey(random.nextInt(20) * 0x9E3779B97F4A7C15L, 17, random.nextInt(1000)),
                        tags(random.nextInt(5) == 0 ? Scope.NONE : CLICKS),
                        1 << 20,
                        random.nextInt(1 << 19),
                        random.nextInt(1 << 19),
                        random.nextBoolean() ? ReadOutcome.HIT : ReadOutcome.MISS))
                .toList();
    }

    private static PageTags tags(Scope scope)
    {
        return new PageTags(scope, scope.equals(Scope.NONE) ? StorageClass.FOOTER : StorageClass.DATA);
    }

    private static byte[] written(List<TraceRecord> records, boolean hashNames)
            throws IOException
    {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(bytes, hashNames)) {
            for (TraceRecord record : records) {
                writer.write(record);
            }
        }
        return bytes.toByteArray();
    }

    private static List<TraceRecord> read(byte[] bytes)
            throws IOException
    {
        List<TraceRecord> records = new ArrayList<>();
        read(bytes, records);
        return records;
    }

    private static void read(byte[] bytes, List<TraceRecord> records)
            throws IOException
    {
        try (TraceReader reader = new TraceReader(new ByteArrayInputStream(bytes))) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                records.add(record);
            }
        }
    }
}
