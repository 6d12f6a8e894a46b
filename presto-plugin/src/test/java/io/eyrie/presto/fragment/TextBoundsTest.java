// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.Range;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

class TextBoundsTest
{
    private static final Comparator<byte[]> SIGNED = Arrays::compare;
    private static final Comparator<byte[]> UNSIGNED = Arrays::compareUnsigned;

    /* Few different bytes, so that texts often have a common beginning. The least and greatest of both kinds are among them. */
    @Provide
    Arbitrary<List<byte[]>> texts()
    {
        return Arbitraries.of((byte) 0, (byte) 'a', (byte) 'b', (byte) 0x7f, (byte) 0x80, (byte) 0xc3, (byte) 0xff).array(byte[].class).ofMaxSize(5)
                .list().ofMinSize(1).ofMaxSize(6);
    }

    @Provide
    Arbitrary<List<byte[]>> words()
    {
        return Arbitraries.strings().withChars('A', 'b', 'é', 'ü', 'я', '\u4e2d').ofMaxLength(4).map(text -> Slices.utf8Slice(text).getBytes()).list()
                .ofMinSize(1).ofMaxSize(6);
    }

    @Property(tries = 20_000)
    void eachTextIsWithinTheBounds(@ForAll("texts") List<byte[]> texts)
    {
        assertWithin(texts, SIGNED);
        assertWithin(texts, UNSIGNED);
    }

    @Property
    void eachWordIsWithinTheBounds(@ForAll("words") List<byte[]> words)
    {
        assertWithin(words, SIGNED);
        assertWithin(words, UNSIGNED);
    }

    private static void assertWithin(List<byte[]> texts, Comparator<byte[]> writer)
    {
        byte[] min = texts.stream().min(writer).orElseThrow();
        byte[] max = texts.stream().max(writer).orElseThrow();
        if (UNSIGNED.compare(min, max) > 0) {
            return; // Presto takes no bounds then
        }
        Slice least = Slices.wrappedBuffer(min);
        Slice most = Slices.wrappedBuffer(max);
        Range derived = TextBounds.ofUnknownOrder(VARCHAR, least, most);
        assertThat(texts).allMatch(text -> contains(derived, Slices.wrappedBuffer(text)));
        assertThat(derived.contains(Range.range(VARCHAR, least, true, most, true))).as("never narrower than what Presto excludes by").isTrue();
    }

    private static boolean contains(Range range, Slice text)
    {
        return range.contains(Range.equal(VARCHAR, text));
    }

    @Test
    void boundsLoseLittle()
    {
        assertThat(derived("AT", "US")).isEqualTo(range("AT", "V", false));
        assertThat(derived("DE", "DE")).isEqualTo(Range.equal(VARCHAR, Slices.utf8Slice("DE")));
        assertThat(derived("2024-01-05", "2024-01-31")).isEqualTo(range("2024-01-05", "2024-01-4", false));
        assertThat(derived("Bézier", "Zwolle")).isEqualTo(range("B", "[", false));
        assertThat(derived("Aachen", "Zwolle")).isEqualTo(range("Aachen", "[", false));
        assertThat(derived("да", "да нет")).as("a text that begins the other one").isEqualTo(range("да", "дб", false));
        assertThat(derived("中", "中文")).isEqualTo(range("中", "中文", true));
        assertThat(derived("", "Zwolle")).isEqualTo(Range.greaterThanOrEqual(VARCHAR, Slices.EMPTY_SLICE));
    }

    private static Range derived(String min, String max)
    {
        return TextBounds.ofUnknownOrder(VARCHAR, Slices.utf8Slice(min), Slices.utf8Slice(max));
    }

    private static Range range(String least, String most, boolean inclusive)
    {
        return Range.range(VARCHAR, Slices.utf8Slice(least), true, Slices.utf8Slice(most), inclusive);
    }
}
