// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.ledger;

import com.facebook.presto.common.RuntimeStats;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.MissCause;
import io.eyrie.footer.FooterKind;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests what the ledger records of layers, and for which query, table and file. */
class LedgerTest
{
    private static final Scope TABLE = new Scope("hive", "web", "clicks", "");

    private final Ledger ledger = new Ledger("hive");

    private static FileVersion version(String user, String etag)
    {
        return new FileVersion(new StoreId("s3", user), "s3://lake/clicks/1", 100, 5, Optional.of(etag));
    }

    @Test
    void whatAFileGaveIsTheLayersTheQuerysTheTablesAndTheFiles()
    {
        Account account = ledger.opened("q1", version("", "a"), TABLE).account(CacheLayer.DATA);
        account.hits(2, 20);
        account.miss(MissCause.EVICTED, 7);
        account.load(64, 1000);

        List<Tally> tallies = new ArrayList<>(List.of(
                ledger.layer(CacheLayer.DATA),
                ledger.scopes().getOrDefault(TABLE, new ConcurrentHashMap<>()).getOrDefault(CacheLayer.DATA, new Tally()),
                ledger.files().iterator().next().tally()));
        ledger.forEachQuery((id, query) -> tallies.add(query.layers().getOrDefault(CacheLayer.DATA, new Tally())));
        assertThat(tallies).hasSize(4).allSatisfy(tally -> {
            assertThat(List.of(tally.hits(), tally.hitBytes(), tally.misses(), tally.missBytes(), tally.loads(), tally.loadBytes(), tally
                    .loadNanos()))
                    .containsExactly(2L, 20L, 1L, 7L, 1L, 64L, 1000L);
            assertThat(tally.reasons()).isEqualTo(Map.of("evicted", 1L));
        });
        assertThat(ledger.layer(CacheLayer.FOOTER).hits()).isZero();
    }

    @Test
    void tableIsSeenByItsFilesAndNotByLookupsOfItsName()
    {
        ledger.account("q1", TABLE, CacheLayer.METASTORE).requested(WorkKind.METASTORE_CALLS, 1);
        assertThat(ledger.hasSeenFiles(TABLE)).isFalse();
        Scope partition = new Scope("hive", "web", "clicks", "ds=1");
        ledger.account("q1", partition, CacheLayer.FILE_LIST).hits(1, 0);
        assertThat(ledger.hasSeenFiles(TABLE)).isTrue();
        assertThat(ledger.hasSeenFiles(new Scope("hive", "web", "", ""))).isTrue();
        assertThat(ledger.hasSeenFiles(partition)).isTrue();
        assertThat(ledger.hasSeenFiles(new Scope("hive", "web", "clicks", "ds=2"))).isFalse();
        assertThat(ledger.partitionsOf(TABLE)).containsExactly("ds=1");
        ledger.account("q2", new Scope("hive", "web", "stored", ""), CacheLayer.METASTORE).requested(WorkKind.BYTES, 9);
        assertThat(ledger.hasSeenFiles(new Scope("hive", "web", "stored", ""))).as("by the savings").isTrue();
    }

    @Test
    void missOfAFileThatWasSeenInAnotherVersionSaysSo()
    {
        ledger.opened("q1", version("", "a"), TABLE).account(CacheLayer.DATA).miss(MissCause.NEVER_KEPT, 1);
        ledger.opened("q2", version("bob", "b"), TABLE).account(CacheLayer.DATA).miss(MissCause.NEVER_KEPT, 1);
        assertThat(ledger.layer(CacheLayer.DATA).reasons()).as("another user's view is another file").isEqualTo(Map.of("never_seen", 2L));
        Account other = ledger.opened("q3", version("", "b"), TABLE).account(CacheLayer.DATA);
        other.miss(MissCause.NEVER_KEPT, 1);
        other.miss(MissCause.DENIED_BY_RULE, 1);
        assertThat(ledger.layer(CacheLayer.DATA).reasons()).isEqualTo(Map.of("never_seen", 2L, "other_version", 1L, "denied_by_rule", 1L));
    }

    @Test
    void everyCauseOfThePageCacheHasAReason()
    {
        for (MissCause cause : MissCause.values()) {
            ledger.account("", TABLE, CacheLayer.DATA).miss(cause, 1);
        }
        // those of a page that was evicted, lately or not, have the same reason
        assertThat(ledger.layer(CacheLayer.DATA).reasons()).hasSize(MissCause.values().length - 1);
    }

    @Test
    void everyReasonIsExplained()
            throws IOException
    {
        String page = Files.readString(Path.of("../docs/console.md"));
        for (MissReason reason : MissReason.values()) {
            assertThat(page).as("the table of reasons").contains("`" + reason.label() + "`");
            assertThat(reason.meaning()).isNotBlank().doesNotEndWith(".");
            assertThat(reason.remedy()).doesNotEndWith(".");
        }
    }

    @Test
    void missWithAnotherReasonIsStillOneMiss()
    {
        Account account = ledger.account("q1", TABLE, CacheLayer.FILE_LIST);
        account.correct(MissReason.NOT_SEALED, MissReason.TOO_LARGE);
        account.misses(MissReason.NOT_SEALED, 2, 0);
        assertThat(ledger.layer(CacheLayer.FILE_LIST).misses()).isEqualTo(2);
        assertThat(ledger.layer(CacheLayer.FILE_LIST).reasons()).isEqualTo(Map.of("not_sealed", 1L, "too_large", 1L));
    }

    @Test
    void footerIsLoadedForTheFirstTimeOnce()
    {
        assertThat(ledger.opened("q1", version("", "a"), TABLE).wasLoaded(FooterKind.ORC_FILE_TAIL)).isFalse();
        assertThat(ledger.opened("q2", version("", "a"), TABLE).wasLoaded(FooterKind.ORC_FILE_TAIL)).isTrue();
        assertThat(ledger.opened("q2", version("", "b"), TABLE).wasLoaded(FooterKind.ORC_FILE_TAIL)).isFalse();
    }

    @Test
    void latestThousandQueriesAreKept()
    {
        for (int i = 0; i < 1500; i++) {
            ledger.account("q" + i, TABLE, CacheLayer.DATA).hits(1, 1);
        }
        List<String> ids = new ArrayList<>();
        ledger.forEachQuery((id, query) -> ids.add(id));
        assertThat(ids).hasSize(1000).startsWith("q500").endsWith("q1499");
    }

    @Test
    void queryIsKnownByItsStatistics()
    {
        RuntimeStats stats = new RuntimeStats();
        ledger.began("q1", stats);
        assertThat(ledger.queryOf(stats)).isEqualTo("q1");
        assertThat(ledger.queryOf(new RuntimeStats())).isEmpty();
    }
}
