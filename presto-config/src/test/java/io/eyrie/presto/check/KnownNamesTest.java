// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KnownNamesTest
{
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
