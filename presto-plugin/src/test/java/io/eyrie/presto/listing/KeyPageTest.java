// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import com.amazonaws.services.s3.model.S3ObjectSummary;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import static io.eyrie.presto.listing.TestingKeySource.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KeyPageTest
{
    @Test
    void storeThatDoesNotKnowTheStart()
    {
        assertThatThrownBy(() -> KeyPage.checked("t/", "t/b/", answer(List.of("t/a/1", "t/b/1"), true)))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("t/a/1");
    }

    @Test
    void storeThatDoesNotSort()
    {
        assertThatThrownBy(() -> KeyPage.checked("t/", "t/a/", answer(List.of("t/b/1", "t/a/1"), false))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> KeyPage.checked("t/", "t/a/", answer(List.of("t/b/1", "t/b/1"), false))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void storeThatDoesNotKnowThePrefix()
    {
        assertThatThrownBy(() -> KeyPage.checked("t/", "t/a/", answer(List.of("t/b/1", "u/a"), false))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void nothingOfMore()
    {
        assertThatThrownBy(() -> KeyPage.checked("t/", "t/a/", answer(List.of(), true))).isInstanceOf(IllegalStateException.class);
        assertThat(KeyPage.checked("t/", "t/a/", answer(List.of(), false)).endsAfter("t/a/")).isTrue();
    }

    @Test
    void directoryThatGoesOnBehindThePage()
    {
        KeyPage page = KeyPage.checked("t/", "t/", answer(List.of("t/a/1", "t/b-c/1", "t/b/1"), true));
        assertThat(List.of("t/a/", "t/b-c/")).allMatch(page::endsAfter);
        assertThat(List.of("t/b/", "t/c/")).noneMatch(page::endsAfter);
        assertThat(new KeyPage(page.objects(), false).endsAfter("t/c/")).isTrue();
        assertThat(page.under("t/b/")).extracting(S3ObjectSummary::getKey).containsExactly("t/b/1");
        assertThat(page.under("t/aa/")).isEmpty();
    }

    @Test
    void orderIsThatOfBytes()
    {
        List<String> keys = List.of("", "a", "a/", "a0", "aa", "\u00E9", "\uE000", "\uFFFD", "\uD83D\uDE00", "\uD83D\uDE01");
        for (String one : keys) {
            for (String other : keys) {
                assertThat(Integer.signum(KeyPage.compareKeys(one, other))).as("%s and %s", one, other).isEqualTo(Integer.signum(
                        Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8))));
            }
        }
    }
}
