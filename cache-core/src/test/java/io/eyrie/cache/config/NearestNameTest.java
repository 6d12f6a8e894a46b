// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.config;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class NearestNameTest
{
    @ParameterizedTest
    @CsvSource({"abc,abc,0", "abc,abd,1", "abc,ab,1", "abc,acb,1", "abc,,3", "kitten,sitting,3"})
    void distance(String a, String b, int distance)
    {
        assertThat(NearestName.distance(a, b == null ? "" : b)).isEqualTo(distance);
        assertThat(NearestName.distance(b == null ? "" : b, a)).isEqualTo(distance);
    }

    @Test
    void onlySimilarNamesAreSuggested()
    {
        List<String> tables = List.of("orders", "lineitem", "line_items");
        assertThat(NearestName.of("linitem", tables)).hasValue("lineitem");
        assertThat(NearestName.of("ordesr", tables)).hasValue("orders");
        assertThat(NearestName.of("customer", tables)).isEmpty();
        assertThat(NearestName.of("*", tables)).isEmpty();
    }
}
