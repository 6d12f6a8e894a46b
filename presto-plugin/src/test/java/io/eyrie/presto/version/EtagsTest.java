// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.version;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EtagsTest
{
    @Test
    void expectationHoldsForItsObjectAndItsThreadOnly()
            throws IOException
    {
        String inside = Etags.expecting("a", "tag", () -> {
            assertThat(Etags.expected("b")).isNull();
            assertThat(CompletableFuture.supplyAsync(() -> String.valueOf(Etags.expected("a"))).join()).isEqualTo("null");
            return String.valueOf(Etags.expected("a"));
        });
        assertThat(inside).isEqualTo("tag");
        assertThat(Etags.expected("a")).isNull();
    }

    @Test
    void innerExpectationGivesWayToTheOuter()
            throws IOException
    {
        Etags.expecting("a", "outer", () -> {
            assertThat(Etags.<String>expecting("a", "inner", () -> String.valueOf(Etags.expected("a")))).isEqualTo("inner");
            assertThat(Etags.expected("a")).isEqualTo("outer");
            return true;
        });
    }

    @Test
    void failureLeavesNothingBehind()
    {
        Etags.ResponseTags seen = new Etags.ResponseTags();
        assertThatThrownBy(() -> Etags.observing(seen, () -> Etags.expecting("a", "tag", () -> {
            throw new IOException("gone");
        }))).isInstanceOf(IOException.class).hasMessage("gone");
        assertThat(Etags.expected("a")).isNull();
        assertThat(Etags.observer()).isEmpty();
    }

    @Test
    void tagsThatNobodyTakes()
    {
        Etags.ResponseTags seen = new Etags.ResponseTags();
        for (int i = 0; i <= Etags.ResponseTags.MOST_KEYS; i++) {
            seen.onHead("key" + i, "tag");
        }
        assertThat(seen.take("key0")).as("the oldest").isEmpty();
        assertThat(seen.take("key1")).isPresent();
        assertThat(seen.take("key" + Etags.ResponseTags.MOST_KEYS)).isPresent();
    }

    @Test
    void seenTagIsTakenOnce()
    {
        Etags.ResponseTags seen = new Etags.ResponseTags();
        seen.onHead("a", "tag");
        assertThat(seen.take("a")).contains("tag");
        assertThat(seen.take("a")).isEmpty();
    }
}
