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
}
