// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.TestingPageStore;
import org.junit.jupiter.api.Test;

import static io.eyrie.cache.page.TestingFiles.GRANULE;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests granules that appear and disappear between two lookups. */
final class FlickeringGranulesTest
{
    private static final int PAGE = 4 * GRANULE;
    private static final PageKey KEY = new PageKey(1, 2, 0);

    @Test
    void granuleEvictedBetweenTwoLooksEndsNoRunBeforeItsBeginning()
    {
        TestingPageStore store = new TestingPageStore();
        Granules granules = new Granules(store, PAGE);
        // found by the first lookup, missing when the range is measured
        assertThat(granules.rangeEnd(KEY, GRANULE + 100, PAGE, true)).isEqualTo(2 * GRANULE);
        assertThat(granules.rangeEnd(KEY, GRANULE + 100, GRANULE + 200, true)).isEqualTo(GRANULE + 200);
        assertThat(granules.rangeEnd(KEY, GRANULE + 100, 2 * PAGE, false)).isEqualTo(2 * PAGE);
    }
}
