// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class KnownNamesTest
{
    @ParameterizedTest
    @CsvSource({"abc,abc,0", "abc,abd,1", "abc,ab,1", "abc,acb,1", "abc,,3", "kitten,sitting,3"})
    void distance(String a, String b, int distance)
    {
        assertThat(KnownNames.distance(a, b == null ? "" : b)).isEqualTo(distance);
        assertThat(KnownNames.distance(b == null ? "" : b, a)).isEqualTo(distance);
    }

    @Test
    void namesOfEyrieAndOfPresto()
    {
        KnownNames names = KnownNames.load();
        assertThat(names.contains("cache.max-memory")).isTrue();
        assertThat(names.contains("hive.metastore.uri")).isTrue();
        assertThat(names.contains("hive.orc.expected-file-tail-size")).isTrue();
        assertThat(names.contains("hive.no-such-property")).isFalse();
    }
}
