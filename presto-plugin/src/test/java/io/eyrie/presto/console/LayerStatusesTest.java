// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import io.eyrie.cache.page.CacheMode;
import io.eyrie.metastore.LookupListener.LookupMiss;
import io.eyrie.presto.ledger.MissReason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class LayerStatusesTest
{
    @ParameterizedTest
    @CsvSource({
            "ABSENT, NEVER_SEEN, READ_ONLY, NEVER_SEEN",
            "NOT_VALIDATED, NOT_VALIDATED, NOT_VALIDATED, NOT_VALIDATED",
            "LONG_PREDICATE, TOO_LARGE, TOO_LARGE, TOO_LARGE",
            "TOO_MANY_USERS, TOO_MANY_USERS, READ_ONLY, NEVER_SEEN",
            "CHANGED, OTHER_VERSION, READ_ONLY, NEVER_SEEN"})
    void whyTheMetastoreAnsweredALookup(LookupMiss why, MissReason cached, MissReason readOnly, MissReason dryRun)
    {
        assertThat(LayerStatuses.reason(CacheMode.READ_WRITE, why)).isEqualTo(cached);
        assertThat(LayerStatuses.reason(CacheMode.READ_ONLY, why)).isEqualTo(readOnly);
        assertThat(LayerStatuses.reason(CacheMode.DRY_RUN, why)).isEqualTo(dryRun);
    }
}
