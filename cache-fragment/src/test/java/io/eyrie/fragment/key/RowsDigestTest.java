// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.block.Block;
import com.facebook.presto.common.block.BlockBuilder;
import com.facebook.presto.common.block.RunLengthEncodedBlock;
import com.facebook.presto.common.type.ArrayType;
import com.facebook.presto.common.type.Type;
import io.airlift.slice.Slices;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static com.facebook.presto.common.type.DoubleType.DOUBLE;
import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/** Equal digests mean equal rows, equally often, in any order. */
class RowsDigestTest
{
    /** A row of a number and a text. */
    private record Row(@Nullable Long number, @Nullable String text)
    {}

    @Test
    void ordersAndPagesAndEncodingsDoNotMatter()
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            List<Row> rows = rows(random, 1 + random.nextInt(50));
            String digest = digest(List.of(rows));
            List<Row> shuffled = new ArrayList<>(rows);
            Collections.shuffle(shuffled, random);
            int cut = random.nextInt(rows.size());
            assertThat(digest(List.of(shuffled.subList(0, cut), shuffled.subList(cut, shuffled.size())))).as("seed %s, round %s", seed, round)
                    .isEqualTo(digest);
        }
        List<Row> same = Collections.nCopies(3, new Row(5L, "five"));
        Page one = page(same.subList(0, 1));
        Page encoded = new Page(3, new RunLengthEncodedBlock(one.getBlock(0), 3), new RunLengthEncodedBlock(one.getBlock(1), 3));
        assertThat(digest(encoded, 0, 1)).isEqualTo(digest(List.of(same)));
    }

    @Test
    void anyChangeOfTheRowsMatters()
    {
        Random random = new Random(1);
        List<Row> rows = rows(random, 20);
        String digest = digest(List.of(rows));
        for (int place = 0; place < rows.size(); place++) {
            List<Row> fewer = new ArrayList<>(rows);
            Row row = fewer.remove(place);
            assertThat(digest(List.of(fewer))).isNotEqualTo(digest);
            List<Row> twice = new ArrayList<>(rows);
            twice.add(row);
            assertThat(digest(List.of(twice))).isNotEqualTo(digest);
            List<Row> changed = new ArrayList<>(fewer);
            changed.add(new Row(row.number(), row.text() + "!"));
            assertThat(digest(List.of(changed))).isNotEqualTo(digest);
        }
    }

    @Test
    void valuesDoNotRunIntoEachOther()
    {
        assertThat(digest(List.of(List.of(new Row(null, "")))))
                .isNotEqualTo(digest(List.of(List.of(new Row(null, null)))))
                .isNotEqualTo(digest(List.of(List.of(new Row(0L, "")))));
        // the same values in other pairs
        assertThat(digest(List.of(List.of(new Row(1L, "a"), new Row(2L, "b"))))).isNotEqualTo(digest(List.of(List.of(new Row(1L, "b"), new Row(2L,
                "a")))));
        // two texts, of which the first ends where the second begins
        Block texts = blocks(VARCHAR, List.of("ab"));
        Block more = blocks(VARCHAR, List.of("c"));
        assertThat(digest(new Page(texts, more), 0, 1)).isNotEqualTo(digest(new Page(blocks(VARCHAR, List.of("a")), blocks(VARCHAR, List.of("bc"))),
                0, 1));
        Block nested = array(List.of("a", "b"), List.of("c"));
        assertThat(digest(new Page(nested), 0)).isNotEqualTo(digest(new Page(array(List.of("a"), List.of("b", "c"))), 0));
        assertThat(digest(List.of())).isNotEqualTo(digest(List.of(List.of(new Row(null, null)))));
    }

    @Test
    void zerosAndNaNsOfOtherBitsAreOtherValues()
    {
        BlockBuilder zeros = DOUBLE.createBlockBuilder(null, 1);
        DOUBLE.writeDouble(zeros, 0.0);
        BlockBuilder minus = DOUBLE.createBlockBuilder(null, 1);
        DOUBLE.writeDouble(minus, -0.0);
        assertThat(digest(new Page(zeros.build()), 0)).isNotEqualTo(digest(new Page(minus.build()), 0));
    }

    @Test
    void channelsAreReadInTheGivenOrder()
    {
        Page page = page(List.of(new Row(1L, "a"), new Row(null, "b")));
        Page swapped = page.extractChannels(new int[] {1, 0});
        assertThat(digest(swapped, 1, 0)).isEqualTo(digest(page, 0, 1));
        assertThat(digest(page, 0)).isNotEqualTo(digest(page, 0, 1));
    }

    @Test
    void sumsCarry()
    {
        // the sum of many hashes by big numbers
        List<Row> rows = rows(new Random(2), 1000);
        BigInteger sum = BigInteger.ZERO;
        for (Row row : rows) {
            sum = sum.add(new BigInteger(1, HexFormat.of().parseHex(digest(List.of(List.of(row))).substring(16))));
        }
        String expected = String.format(Locale.ROOT, "%016x%064x", 1000, sum.mod(BigInteger.TWO.pow(256)));
        assertThat(digest(List.of(rows))).isEqualTo(expected);
    }

    @Test
    void severalThreadsAddPages()
    {
        Random random = new Random(3);
        List<List<Row>> pages = IntStream.range(0, 500).mapToObj(i -> rows(random, 20)).toList();
        RowsDigest digest = new RowsDigest(new int[] {0, 1});
        pages.parallelStream().map(RowsDigestTest::page).forEach(digest::add);
        assertThat(HexFormat.of().formatHex(digest.toBytes())).isEqualTo(digest(pages));
    }

    private static List<Row> rows(Random random, int count)
    {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(new Row(random.nextInt(5) == 0 ? null : (long) random.nextInt(10), random.nextInt(5) == 0
                    ? null
                    : "text " + random.nextInt(10)));
        }
        return rows;
    }

    private static String digest(List<List<Row>> pages)
    {
        RowsDigest digest = new RowsDigest(new int[] {0, 1});
        pages.forEach(rows -> digest.add(page(rows)));
        return HexFormat.of().formatHex(digest.toBytes());
    }

    private static String digest(Page page, int... channels)
    {
        RowsDigest digest = new RowsDigest(channels);
        digest.add(page);
        return HexFormat.of().formatHex(digest.toBytes());
    }

    private static Page page(List<Row> rows)
    {
        BlockBuilder numbers = BIGINT.createBlockBuilder(null, rows.size());
        for (Row row : rows) {
            if (row.number() == null) {
                numbers.appendNull();
            }
            else {
                BIGINT.writeLong(numbers, row.number());
            }
        }
        List<@Nullable String> texts = new ArrayList<>();
        rows.forEach(row -> texts.add(row.text()));
        return new Page(rows.size(), numbers.build(), blocks(VARCHAR, texts));
    }

    private static Block blocks(Type type, List<@Nullable String> values)
    {
        BlockBuilder builder = type.createBlockBuilder(null, values.size());
        for (String value : values) {
            if (value == null) {
                builder.appendNull();
            }
            else {
                type.writeSlice(builder, Slices.utf8Slice(value));
            }
        }
        return builder.build();
    }

    @SafeVarargs
    private static Block array(List<String>... values)
    {
        ArrayType type = new ArrayType(VARCHAR);
        BlockBuilder builder = type.createBlockBuilder(null, values.length);
        for (List<String> value : values) {
            type.writeObject(builder, blocks(VARCHAR, new ArrayList<>(value)));
        }
        return builder.build();
    }
}
