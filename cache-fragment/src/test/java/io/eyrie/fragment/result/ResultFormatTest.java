// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.BlockBuilder;
import com.facebook.presto.common.block.DictionaryBlock;
import com.facebook.presto.common.block.LazyBlock;
import com.facebook.presto.common.block.RunLengthEncodedBlock;
import com.facebook.presto.common.type.ArrayType;
import com.facebook.presto.common.type.DecimalType;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.TypeUtils;
import io.airlift.slice.Slices;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.key.OutputId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.BooleanType.BOOLEAN;
import static com.facebook.presto.common.type.Decimals.encodeUnscaledValue;
import static com.facebook.presto.common.type.DoubleType.DOUBLE;
import static com.facebook.presto.common.type.IntegerType.INTEGER;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static com.facebook.presto.testing.TestingConnectorSession.SESSION;
import static io.eyrie.fragment.TestingLeaves.BLOCKS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

final class ResultFormatTest
{
    private static final Cost COST = new Cost(11, 22, 33);
    private static final ResultFormat FORMAT = new ResultFormat(BLOCKS, false);
    private static final BlobKey ROWS = new BlobKey(1, 2);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyKindOfBlockComesBack(boolean compressed)
    {
        List<Type> types = List.of(BIGINT, INTEGER, BOOLEAN, DOUBLE, VARCHAR, DecimalType.createDecimalType(38, 2), new ArrayType(BIGINT), VARCHAR,
                BIGINT, BIGINT);
        Block text = block(VARCHAR, Slices.utf8Slice("a"), null, Slices.utf8Slice(""));
        Block numbers = block(BIGINT, 1L, null, 3L);
        Page page = new Page(
                numbers,
                block(INTEGER, 1L, 2L, null),
                block(BOOLEAN, true, null, false),
                block(DOUBLE, Double.NaN, -0.0, null),
                text,
                block(DecimalType.createDecimalType(38, 2), encodeUnscaledValue(7), null, encodeUnscaledValue(-7)),
                block(new ArrayType(BIGINT), block(BIGINT, 1L, null), null, block(BIGINT)),
                new DictionaryBlock(text, new int[] {2, 0, 0}),
                new RunLengthEncodedBlock(block(BIGINT, 5L), 3),
                new LazyBlock(3, lazy -> lazy.setBlock(numbers)));
        FragmentKey key = key(types.size());
        byte[] bytes = write(compressed, key, page, page);
        assertThat(FORMAT.header(bytes, key).orElseThrow().cost()).isEqualTo(COST);
        List<Page> read = read(compressed, bytes, key).orElseThrow();
        assertThat(read).hasSize(2);
        for (Page copy : read) {
            assertThat(values(copy, types)).isEqualTo(values(page, types));
        }
    }

    @Test
    void rowsWithoutColumnsAreCounted()
    {
        FragmentKey key = key(0);
        List<Page> pages = read(false, write(false, key, new Page(3), new Page(4)), key).orElseThrow();
        assertThat(pages).extracting(Page::getPositionCount).containsExactly(3, 4);
    }

    @Test
    void emptyResultIsAResult()
    {
        FragmentKey key = key(2);
        assertThat(read(false, write(false, key), key).orElseThrow()).isEmpty();
    }

    @Test
    void columnsAreGivenAsTheyAreAskedFor()
    {
        FragmentKey key = key(2);
        byte[] bytes = write(false, key, new Page(block(BIGINT, 1L), block(BIGINT, 2L)));
        OutputId first = key.outputs().get(0);
        OutputId second = key.outputs().get(1);
        Page page = read(false, bytes, new FragmentKey(ROWS, List.of(second, first, second))).orElseThrow().get(0);
        assertThat(values(page, List.of(BIGINT, BIGINT, BIGINT))).isEqualTo("[[2, 1, 2]]");
    }

    @Test
    void anotherResultsBytesAreNone()
    {
        FragmentKey key = key(1);
        byte[] bytes = write(false, key, new Page(block(BIGINT, 1L)));
        assertThat(read(false, bytes, new FragmentKey(new BlobKey(1, 3), key.outputs()))).isEmpty();
        assertThat(read(false, bytes, new FragmentKey(ROWS, List.of(new OutputId(9, 9))))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cutOrLengthenedBytesAreNone(boolean compressed)
    {
        FragmentKey key = key(2);
        byte[] bytes = write(compressed, key, new Page(block(BIGINT, 1L), block(VARCHAR, Slices.utf8Slice("abc"))));
        for (int length = 0; length < bytes.length; length++) {
            assertThat(read(compressed, Arrays.copyOf(bytes, length), key)).as("%d of %d bytes", length, bytes.length).isEmpty();
        }
        assertThat(read(compressed, Arrays.copyOf(bytes, bytes.length + 1), key)).isEmpty();
    }

    @Test
    void widePageIsCutIntoFramesAndTheHeadHasTheirMemory()
    {
        FragmentKey key = key(2);
        Page page = new Page(block(VARCHAR, IntStream.range(0, 9000).mapToObj(row -> Slices.utf8Slice(row + "x".repeat(2000))).toArray()),
                block(BIGINT, LongStream.range(0, 9000).boxed().toArray()));
        byte[] bytes = write(true, key, page);
        ResultFormat.Header header = FORMAT.header(Arrays.copyOf(bytes, ResultFormat.headerBytes(2)), key).orElseThrow();
        assertThat(header.rows()).isEqualTo(9000);
        assertThat(header.storedBytes()).isEqualTo(bytes.length).isLessThan(1 << 20);
        assertThat(header.decodedBytes()).isCloseTo(page.getSizeInBytes(), withPercentage(1));
        assertThat(header.longestFrameBytes()).isBetween(ResultFormat.FRAME_BYTES / 4, ResultFormat.FRAME_BYTES);
        List<Page> pages = read(true, bytes, key).orElseThrow();
        assertThat(pages).hasSize(header.frames()).hasSizeGreaterThan(8);
        assertThat(pages.stream().mapToLong(Page::getRetainedSizeInBytes).max().orElseThrow()).isCloseTo(header.longestFrameBytes(), withPercentage(
                5));
        int row = 0;
        for (Page part : pages) {
            for (int position = 0; position < part.getPositionCount(); position++, row++) {
                assertThat(BIGINT.getLong(part.getBlock(1), position)).isEqualTo(row);
                assertThat(VARCHAR.getSlice(part.getBlock(0), position).length()).isEqualTo(2000 + Integer.toString(row).length());
            }
        }
        assertThat(row).isEqualTo(9000);
    }

    @Test
    void valueThatAllRowsShareIsNotWrittenForEach()
    {
        FragmentKey key = key(2);
        Block wide = block(VARCHAR, Slices.allocate(3 * ResultFormat.FRAME_BYTES), Slices.allocate(3 * ResultFormat.FRAME_BYTES));
        byte[] bytes = write(false, key, new Page(
                new RunLengthEncodedBlock(wide.getSingleValueBlock(0), 10_000),
                new DictionaryBlock(wide, IntStream.range(0, 10_000).map(row -> row % 2).toArray())));
        assertThat(bytes.length).isLessThan(10 * ResultFormat.FRAME_BYTES);
        assertThat(FORMAT.header(bytes, key).orElseThrow().excessBytes()).isBetween(8 * ResultFormat.FRAME_BYTES, 9 * ResultFormat.FRAME_BYTES);
    }

    @Test
    void onlyTheNextPageIsDecoded()
    {
        FragmentKey key = key(1);
        byte[] bytes = write(false, key, new Page(block(BIGINT, 1L)), new Page(block(BIGINT, 2L)), new Page(block(BIGINT, 3L)));
        Iterator<Page> pages = FORMAT.pages(bytes, key).orElseThrow();
        // a frame that was already decoded does not change any more
        Arrays.fill(bytes, ResultFormat.headerBytes(1), bytes.length, (byte) -1);
        assertThat(values(pages.next(), List.of(BIGINT))).isEqualTo("[[1]]");
        assertThat(pages.hasNext()).isTrue();
        assertThatThrownBy(pages::next).isInstanceOf(RuntimeException.class);
    }

    @Test
    void anotherFormatIsNone()
    {
        FragmentKey key = key(1);
        byte[] bytes = write(false, key, new Page(block(BIGINT, 1L)));
        bytes[0]++;
        assertThat(read(false, bytes, key)).isEmpty();
        bytes[0]--;
        bytes[4] = 7;
        assertThat(read(false, bytes, key)).isEmpty();
    }

    static FragmentKey key(int outputs)
    {
        return new FragmentKey(ROWS, IntStream.range(0, outputs).mapToObj(output -> new OutputId(0, output)).toList());
    }

    static Block block(Type type, @Nullable Object... values)
    {
        BlockBuilder builder = type.createBlockBuilder(null, values.length);
        for (@Nullable
        Object value : values) {
            if (value == null) {
                builder.appendNull();
            }
            else {
                TypeUtils.writeNativeValue(type, builder, value);
            }
        }
        return builder.build();
    }

    static String values(Page page, List<Type> types)
    {
        StringBuilder text = new StringBuilder("[");
        for (int position = 0; position < page.getPositionCount(); position++) {
            int row = position;
            text.append(IntStream.range(0, types.size())
                    .mapToObj(channel -> String.valueOf(types.get(channel).getObjectValue(SESSION.getSqlFunctionProperties(), page.getBlock(channel),
                            row)))
                    .toList());
        }
        return text.append("]").toString();
    }

    private static byte[] write(boolean compressed, FragmentKey key, Page... pages)
    {
        ResultFormat.Writer writer = new ResultFormat(BLOCKS, compressed).writer(key, key.outputs());
        List.of(pages).forEach(writer::add);
        return writer.finish(COST);
    }

    private static Optional<List<Page>> read(boolean compressed, byte[] bytes, FragmentKey key)
    {
        // results written with the other setting can be read, too
        return new ResultFormat(BLOCKS, !compressed).pages(bytes, key).map(pages -> {
            List<Page> all = new ArrayList<>();
            pages.forEachRemaining(all::add);
            return all;
        });
    }
}
