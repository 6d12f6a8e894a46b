// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.file.Scope;
import org.junit.jupiter.api.Test;

import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

final class ScopesTest
{
    private static final Scope TABLE = new Scope("hive", "web", "clicks", "");

    @Test
    void invalidationFindsAScopesOlderNumberToo()
    {
        // a snapshot contains number 1; the log before it, which is replayed after it, contains number 0, its end, and number 1
        Scopes scopes = new Scopes(Optional::empty);
        scopes.restore(1, TABLE);
        scopes.pageAdded(1, 4096);
        scopes.restore(0, TABLE);
        scopes.kill(0);

        assertThat(scopes.invalidate(TABLE)).containsExactly(1);

        assertThat(scopes.isDead(1)).isTrue();
    }
}
