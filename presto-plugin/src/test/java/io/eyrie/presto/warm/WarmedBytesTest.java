// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.warm;

import io.eyrie.cache.page.MissCause;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WarmedBytesTest
{
    @Test
    void whatWasLoadedAndIsReadAgainWasNotFound()
    {
        WarmedBytes bytes = new WarmedBytes();
        bytes.onCacheRead(1, 10, 1);
        bytes.onRemoteRead(90, 1);
        bytes.readAgain(true);
        bytes.onCacheRead(1, 70, 1);
        bytes.onRemoteRead(30, 1);
        bytes.readAgain(false);
        bytes.onCacheRead(1, 5, 1);
        assertThat(bytes.found()).isEqualTo(15);
        assertThat(bytes.loaded()).isEqualTo(120);
    }

    @Test
    void splitWithBytesThatMayNotBeCachedIsNotWarm()
    {
        WarmedBytes bytes = new WarmedBytes();
        bytes.onMiss(MissCause.NEVER_KEPT, 1);
        // read again until it is cached
        bytes.onMiss(MissCause.FETCH_BUSY, 1);
        bytes.onMiss(MissCause.NOT_WRITTEN, 1);
        assertThat(bytes.state()).isEqualTo("warm");
        bytes.onMiss(MissCause.DENIED_BY_RULE, 1);
        assertThat(bytes.state()).isEqualTo("denied_by_rule");
    }
}
