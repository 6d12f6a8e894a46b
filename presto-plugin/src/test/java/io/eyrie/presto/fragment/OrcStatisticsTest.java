// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.predicate.ValueSet;
import io.airlift.slice.Slice;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

import static com.facebook.presto.common.type.VarcharType.VARCHAR;
import static io.airlift.slice.Slices.utf8Slice;
import static org.assertj.core.api.Assertions.assertThat;

class OrcStatisticsTest
{
    @Test
    void boundsWithNulCharactersProveNothing()
    {
        assertThat(OrcStatistics.texts(range("a\0b", "c", true))).isEqualTo(Domain.all(VARCHAR));
        assertThat(OrcStatistics.texts(range("a", "c\0", false))).isEqualTo(Domain.notNull(VARCHAR));
        assertThat(OrcStatistics.texts(range("Bézier", "Zürich", true))).isEqualTo(range("Bézier", "Zürich", true));
        assertThat(OrcStatistics.texts(Domain.onlyNull(VARCHAR))).isEqualTo(Domain.onlyNull(VARCHAR));
        Domain open = Domain.create(ValueSet.ofRanges(Range.greaterThanOrEqual(VARCHAR, utf8Slice("a"))), false);
        assertThat(OrcStatistics.texts(open)).as("a maximum that is too long").isEqualTo(open);
    }

    @Provide
    Arbitrary<List<String>> texts()
    {
        return Arbitraries.strings().withChars('\0', 'a', 'b', 'é').ofMaxLength(4).list().ofMinSize(1).ofMaxSize(6);
    }

    @Property(tries = 20_000)
    void eachTextIsWithinTheBoundsOfTheNativeWriter(@ForAll("texts") List<String> texts)
    {
        Slice min = utf8Slice(texts.get(0));
        Slice max = min;
        for (String text : texts) {
            Slice value = utf8Slice(text);
            min = compare(value, min) < 0 ? value : min;
            max = compare(value, max) > 0 ? value : max;
        }
        if (min.compareTo(max) > 0) {
            return; // Presto takes no bounds then
        }
        Domain derived = OrcStatistics.texts(Domain.create(ValueSet.ofRanges(Range.range(VARCHAR, min, true, max, true)), false));
        assertThat(texts).allMatch(text -> derived.includesNullableValue(utf8Slice(text)));
    }

    /* As strncmp over the length of the shorter text, and then by length. */
    private static int compare(Slice left, Slice right)
    {
        int most = Math.min(left.length(), right.length());
        byte[] some = untilNul(left.getBytes(0, most));
        byte[] others = untilNul(right.getBytes(0, most));
        int compared = Arrays.compareUnsigned(some, others);
        return compared == 0 ? Integer.compare(left.length(), right.length()) : compared;
    }

    private static byte[] untilNul(byte[] text)
    {
        int length = 0;
        while (length < text.length && text[length] != 0) {
            length++;
        }
        return Arrays.copyOf(text, length);
    }

    private static Domain range(String min, String max, boolean nulls)
    {
        return Domain.create(ValueSet.ofRanges(Range.range(VARCHAR, utf8Slice(min), true, utf8Slice(max), true)), nulls);
    }
}
