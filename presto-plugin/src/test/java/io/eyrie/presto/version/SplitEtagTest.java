// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.version;

import org.junit.jupiter.api.Test;

import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class SplitEtagTest
{
    @Test
    void tagSurvivesTheWay()
    {
        assertThat(SplitEtag.decode(Optional.of(SplitEtag.encode("d41d8cd98f00b204e9800998ecf8427e-3")))).contains(
                "d41d8cd98f00b204e9800998ecf8427e-3");
    }

    @Test
    void nothingIsNoTag()
    {
        assertThat(SplitEtag.decode(Optional.empty())).isEmpty();
        assertThat(SplitEtag.of(Optional.empty())).isEmpty();
    }

    @Test
    void anotherListersInformationIsNoTag()
    {
        assertThat(SplitEtag.decode(Optional.of("something else".getBytes(UTF_8)))).isEmpty();
        assertThat(SplitEtag.decode(Optional.of(new byte[0]))).isEmpty();
        assertThat(SplitEtag.of(Optional.of(() -> "not even bytes"))).isEmpty();
    }

    @Test
    void listThatWasKeptIsToldBesideTheTag()
    {
        Optional<byte[]> listed = Optional.of(SplitEtag.encode("tag"));
        assertThat(SplitEtag.isOfKeptList(listed)).isFalse();
        assertThat(SplitEtag.isOfKeptList(SplitEtag.ofKeptList(listed))).isTrue();
        assertThat(SplitEtag.decode(SplitEtag.ofKeptList(listed))).contains("tag");
        assertThat(SplitEtag.isOfKeptList(SplitEtag.ofKeptList(SplitEtag.ofKeptList(listed)))).isTrue();

        assertThat(SplitEtag.isOfKeptList(SplitEtag.ofKeptList(Optional.empty()))).isTrue();
        assertThat(SplitEtag.decode(SplitEtag.ofKeptList(Optional.empty()))).isEmpty();
    }

    @Test
    void anotherListersInformationIsLeftAsItIs()
    {
        Optional<byte[]> foreign = Optional.of("something else".getBytes(UTF_8));
        assertThat(SplitEtag.ofKeptList(foreign)).isSameAs(foreign);
        assertThat(SplitEtag.isOfKeptList(foreign)).isFalse();
    }
}
