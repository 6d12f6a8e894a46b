// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.footer.FooterStore.CHUNK_BYTES;
import static io.eyrie.footer.TestingFooterFiles.file;
import static io.eyrie.footer.TestingFooterFiles.unkept;
import static org.assertj.core.api.Assertions.assertThat;

final class FooterChunksTest
{
    private final byte[] content = new byte[10 * CHUNK_BYTES + 1000];
    private final List<FooterChunks.Run> reads = new ArrayList<>();
    private final BlobCache blobs = TestingFooterFiles.blobs();
    private final FooterStore store = new FooterStore(Optional.of(blobs), 0);
    private final FooterFile file = file("s3://bucket/file", content.length, "one");

    FooterChunksTest()
    {
        new Random(7).nextBytes(content);
    }

    @Test
    void lastGranulesComeInOneRequestAndLongFootersInTwo()
            throws IOException
    {
        FooterTail tail = tail(store.tail(file));
        assertRead(tail, content.length - 16_384, 16_384);
        assertRead(tail, content.length - 60_000, 60_000 - 16_384);
        assertThat(reads).hasSize(1);
        assertRead(tail, content.length - 400_000, 400_000 - 16_384);
        assertThat(reads).hasSize(2);
        assertThat(reads.get(1).position() + reads.get(1).length()).as("nothing twice").isEqualTo(reads.get(0).position());
    }

    @Test
    void headOfTheFileIsNoPartOfItsTail()
            throws IOException
    {
        FooterTail tail = tail(store.tail(file));
        assertRead(tail, content.length - 100, 100);
        assertRead(tail, 0, 3);
        assertThat(reads).last().isEqualTo(new FooterChunks.Run(0, 3));
    }

    @Test
    void whatWasKeptIsNotReadAgainFromTheFile()
            throws IOException
    {
        FooterChunks first = store.tail(file);
        first.load(70_000, 100_000, this::read);
        first.keep();
        eventually("writes", () -> blobs.stats().write().writes() == 2);
        reads.clear();

        FooterChunks second = store.tail(file);
        second.load(60_000, 120_000, this::read);
        byte[] bytes = new byte[120_000];
        second.copy(60_000, bytes, 0, bytes.length);
        assertThat(bytes).isEqualTo(Arrays.copyOfRange(content, 60_000, 180_000));
        assertThat(reads).as("beyond what was asked for").containsExactly(new FooterChunks.Run(0, 3 * CHUNK_BYTES));
        // does not concern the file
        blobs.invalidate(new BlobKey(7, 7));
        second.keep();
        eventually("writes", () -> blobs.stats().write().writes() == 5);
        reads.clear();
        FooterChunks third = store.tail(file);
        third.load(60_000, 120_000, this::read);
        third.copy(60_000, bytes, 0, bytes.length);
        assertThat(bytes).isEqualTo(Arrays.copyOfRange(content, 60_000, 180_000));
        assertThat(reads).isEmpty();
    }

    @Test
    void nothingAroundAPartOfAStripeIsRead()
            throws IOException
    {
        FooterChunks chunks = store.stripe(file, 0);
        chunks.require(CHUNK_BYTES - 10, 30);
        chunks.require(CHUNK_BYTES + 100, 50);
        chunks.require(3 * CHUNK_BYTES + 100, 50);
        assertThat(chunks.missing()).containsExactly(new FooterChunks.Run(CHUNK_BYTES - 10, 160), new FooterChunks.Run(3 * CHUNK_BYTES + 100, 50));
        assertThat(chunks.covers(CHUNK_BYTES - 10, 160)).isTrue();
        assertThat(chunks.covers(CHUNK_BYTES - 11, 160)).isFalse();
    }

    @Test
    void noMoreIsStoredThanWasAskedFor()
            throws IOException
    {
        FooterChunks chunks = store.tail(file);
        chunks.load(CHUNK_BYTES + 100, 50, this::read);
        chunks.load(CHUNK_BYTES + 1000, 24, this::read);
        assertThat(reads).containsExactly(new FooterChunks.Run(CHUNK_BYTES, CHUNK_BYTES));
        chunks.keep();
        eventually("writes", () -> blobs.stats().write().writes() == 1);
        assertThat(blobs.stats().write().writtenBytes()).isEqualTo(1024 - 100 + Integer.BYTES);
    }

    @Test
    void otherVersionAndOtherPrincipalFindNothing()
            throws IOException
    {
        FooterChunks first = store.tail(file);
        first.load(0, 100, this::read);
        first.keep();
        eventually("writes", () -> blobs.stats().write().writes() == 1);
        for (FooterFile other : List.of(
                file("s3://bucket/file", content.length, "two"),
                file("s3://bucket/file", content.length - 1, "one"),
                new FooterFile(
                        new FileVersion(
                                new StoreId("s3://test", "alice"),
                                "s3://bucket/file",
                                content.length,
                                1000,
                                Optional.of("one")),
                        file.scope(),
                        file.mode(),
                        file.bypassed(),
                        file.listener()))) {
            reads.clear();
            store.tail(other).load(0, 100, this::read);
            assertThat(reads).hasSize(1);
        }
    }

    @Test
    void fileThatAPageHoldsIsNotStoredTwice()
            throws IOException
    {
        FooterChunks whole = new FooterStore(Optional.of(blobs), content.length).tail(file);
        whole.load(0, 100, this::read);
        whole.keep();
        assertThat(blobs.stats().write().writes() + blobs.stats().write().declinedWrites() + blobs.stats().write().busyWrites()).isZero();

        FooterChunks longer = new FooterStore(Optional.of(blobs), content.length - 1).tail(file);
        longer.load(0, 100, this::read);
        longer.keep();
        eventually("a write", () -> blobs.stats().write().writes() == 1);
    }

    @Test
    void workerThatIsNotToKeepTheFileStoresNothing()
            throws IOException
    {
        FooterChunks chunks = store.tail(unkept(file));
        chunks.load(0, 100, this::read);
        chunks.keep();
        assertThat(blobs.stats().write().writes() + blobs.stats().write().declinedWrites() + blobs.stats().write().busyWrites()).isZero();
    }

    @Test
    void whatCouldNotBeUnderstoodIsDroppedAndReadFromTheFile()
            throws IOException
    {
        FooterChunks first = store.tail(file);
        first.load(0, 100, this::read);
        assertThat(first.forget()).as("all of it is the file's").isEmpty();
        first.keep();
        eventually("a write", () -> blobs.stats().write().writes() == 1);

        FooterChunks second = store.tail(file);
        second.load(0, 100, this::read);
        assertThat(reads).hasSize(1);
        second.forget().orElseThrow().load(0, 100, this::read);
        assertThat(reads).hasSize(2);
        store.tail(file).load(0, 100, this::read);
        assertThat(reads).as("gone from the store").hasSize(3);
    }

    @Test
    void runsAreJoinedAndBoundedByTheFile()
    {
        FooterChunks chunks = store.tail(file);
        chunks.require(3 * CHUNK_BYTES + 1, 10);
        chunks.require(2 * CHUNK_BYTES - 1, 2);
        chunks.require(content.length - 1, 1);
        assertThat(chunks.missing()).containsExactly(
                new FooterChunks.Run(CHUNK_BYTES, 3 * CHUNK_BYTES),
                new FooterChunks.Run(10 * CHUNK_BYTES, 1000));
        assertThat(chunks.covers(CHUNK_BYTES, 3 * CHUNK_BYTES)).isTrue();
        assertThat(chunks.covers(CHUNK_BYTES, 3 * CHUNK_BYTES + 1)).isFalse();
        assertThat(chunks.contains(content.length - 1, 2)).isFalse();
        assertThat(chunks.contains(-1, 2)).isFalse();
        assertThat(chunks.contains(Long.MAX_VALUE, 2)).isFalse();
    }

    private FooterTail tail(FooterChunks chunks)
    {
        return new FooterTail(chunks, content.length, this::read);
    }

    private void assertRead(FooterTail tail, int position, int length)
            throws IOException
    {
        byte[] bytes = new byte[length + 2];
        tail.readFully(position, bytes, 1, length);
        assertThat(Arrays.copyOfRange(bytes, 1, length + 1)).isEqualTo(Arrays.copyOfRange(content, position, position + length));
    }

    private void read(long position, byte[] buffer, int offset, int length)
    {
        reads.add(new FooterChunks.Run(position, length));
        System.arraycopy(content, (int) position, buffer, offset, length);
    }
}
