// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.mutation.FieldMutations;
import io.eyrie.cache.store.PageKey;
import org.junit.jupiter.api.Test;

final class LayoutIdentityTest
{
    private record UnitInputs(PageKey key, int unitInPage)
    {}

    /* A fingerprint contains half of the key; the identity in the checksums must contain all of it. */
    @Test
    void everyFieldOfAKeyTells()
    {
        for (boolean encrypted : new boolean[] {false, true}) {
            Layout layout = Layout.of(16 << 20, 16 << 10, encrypted);
            new FieldMutations().assertEachTells(new UnitInputs(new PageKey(1, 2, 3), 4), asked -> layout.identity(asked.key(), asked.unitInPage()));
        }
    }
}
