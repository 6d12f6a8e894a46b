// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import io.eyrie.cache.page.MissCause;
import io.eyrie.fragment.join.JoinRefusal;
import io.eyrie.presto.console.Advisor.Advice;
import io.eyrie.presto.ledger.Account;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.MissReason;
import org.junit.jupiter.api.Test;

import java.util.List;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Tests that each advice follows from the counters, and that there is none without them. */
class AdvisorTest
{
    private static final int MEGABYTE = 1 << 20;

    private final Ledger ledger = new Ledger("hive");
    private final Advisor advisor = new Advisor(ledger);

    private Account account(String table, CacheLayer layer)
    {
        return ledger.account("q", ledger.scope("web", table, "ds=1"), layer);
    }

    private static void miss(Account account, MissCause cause, int megabytes)
    {
        for (int i = 0; i < megabytes; i++) {
            account.miss(cause, MEGABYTE);
            account.load(MEGABYTE, SECONDS.toNanos(1));
        }
    }

    private List<String> texts()
    {
        return advisor.advice().stream().map(Advice::text).toList();
    }

    @Test
    void nothingIsAdvisedOfCachesThatWorkOrFill()
    {
        Account clicks = account("clicks", CacheLayer.DATA);
        miss(clicks, MissCause.NEVER_KEPT, 100);
        clicks.hits(100, 100 * MEGABYTE);
        assertThat(texts()).isEmpty();
    }

    @Test
    void spaceIsAdvisedByWhatItWouldHaveServed()
    {
        Account clicks = account("clicks", CacheLayer.DATA);
        clicks.hits(71, 71 * MEGABYTE);
        miss(clicks, MissCause.EVICTED_LATELY, 22);
        miss(clicks, MissCause.EVICTED, 5);
        miss(clicks, MissCause.NEVER_KEPT, 2);
        assertThat(texts()).containsExactly(
                "Twice the disk space would have raised the hit ratio of web.clicks from 71 % to at least 93 %: 22MB were read again after they had been evicted to make"
                        + " room");
        assertThat(advisor.advice().get(0).gainSeconds()).isCloseTo(22, within(0.01));
    }

    @Test
    void tableThatEvictsOthersAndServesNothingIsNamed()
    {
        Account clicks = account("clicks", CacheLayer.DATA);
        clicks.hits(50, 50 * MEGABYTE);
        miss(clicks, MissCause.EVICTED, 50);
        Account events = account("events", CacheLayer.DATA);
        miss(events, MissCause.NEVER_KEPT, 150);
        events.hits(1, MEGABYTE);
        assertThat(texts()).containsExactly(
                "web.events caused 75 % of the bytes that were read from the store (150MB) and was served 1MB from the cache, while 50MB of other tables were evicted and read "
                        + "again: CALL system.deny_in_cache('web', 'events'), or set cache.admission.second-touch-pages");
        assertThat(advisor.advice().get(0).gainSeconds()).isCloseTo(50 * 0.75, within(0.01));
    }

    @Test
    void reasonsThatSomeoneCanRemoveAreRankedByTheTimeThatTheyCost()
    {
        Account lists = account("clicks", CacheLayer.FILE_LIST);
        lists.hits(60, 0);
        lists.misses(MissReason.NOT_SEALED, 40, 0);
        lists.load(0, SECONDS.toNanos(8));
        Account data = account("clicks", CacheLayer.DATA);
        miss(data, MissCause.DENIED_BY_RULE, 50);
        assertThat(advisor.advice()).extracting(Advice::layer).containsExactly(CacheLayer.DATA, CacheLayer.FILE_LIST);
        assertThat(texts().get(1)).startsWith(
                "40 % of 100 lookups of file_list for web.clicks missed because the requested item is in a directory that may "
                        + "still change (not_sealed): name the table in hive.file-status-cache-tables");
        assertThat(advisor.advice().get(1).gainSeconds()).isCloseTo(8, within(0.01));
    }

    @Test
    void budgetOfFootersIsNotTheBudgetOfTheDisks()
    {
        account("clicks", CacheLayer.FILE_STATISTICS).misses(MissReason.OVER_FOOTER_BUDGET, 100, 0);
        assertThat(texts()).singleElement().asString().contains("raise cache.file-statistics.daily-requests").doesNotContain("cache.admission");
    }

    /* A larger bound on build sides does not make them smaller. */
    @Test
    void memoryOfAQueryIsNotTheBoundOfBuildSides()
    {
        account("clicks", CacheLayer.FRAGMENT).misses(MissReason.of(JoinRefusal.OVER_MEMORY).orElseThrow(), 100, 0);
        assertThat(texts()).singleElement().asString().contains("(join_over_memory): raise query.max-total-memory").doesNotContain(
                "raise fragment-result-cache");
    }

    @Test
    void adviceIsBounded()
    {
        for (int table = 0; table < 100; table++) {
            account("t" + table, CacheLayer.DATA).misses(MissReason.DENIED_BY_RULE, 100, 0);
        }
        assertThat(advisor.advice()).hasSize(20);
    }
}
