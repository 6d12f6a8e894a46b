// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.statistics;

import com.facebook.presto.common.predicate.Domain;
import com.facebook.presto.spi.SchemaTableName;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.blob.StoreBlobCache;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageWriter;
import io.eyrie.cache.store.TestingPageStore;
import io.eyrie.presto.config.FileStatisticsConfig;
import io.eyrie.presto.fragment.FileProofs.FactsKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

class LearnedFactsTest
{
    private static final int PAGE_BYTES = 1 << 20;
    private static final int MOST_TABLES = 10;
    private static final SchemaTableName CLICKS = new SchemaTableName("web", "clicks");
    private static final SchemaTableName USERS = new SchemaTableName("web", "users");

    private final TestingPageStore pages = new TestingPageStore();
    private final List<PageWriter> writers = new ArrayList<>();

    @AfterEach
    void close()
            throws InterruptedException
    {
        for (PageWriter writer : writers) {
            writer.close(10);
        }
    }

    private BlobCache disk()
    {
        PageWriter writer = new PageWriter(pages, 64 << 20, PAGE_BYTES);
        writers.add(writer);
        return new StoreBlobCache(pages, writer, PAGE_BYTES, 16 << 20);
    }

    private static LearnedFacts facts(long memoryBytes)
    {
        return new LearnedFacts(memoryBytes, MOST_TABLES, budget());
    }

    private static ReadBudget budget()
    {
        return new ReadBudget(new FileStatisticsConfig().setDailyRequests(10), () -> 1);
    }

    private static FactsKey file(int number, int version)
    {
        return new FactsKey(new BlobKey(number, version), String.format(Locale.ROOT, "s3://lake/clicks/ds=%03d/file", number));
    }

    private static FileFacts value(long value)
    {
        return FileFacts.of(List.of(Optional.of(Domain.singleValue(BIGINT, value))));
    }

    private static Optional<Domain> known(LearnedFacts facts, SchemaTableName table, FactsKey file)
    {
        return Optional.ofNullable(facts.find(table, List.of(file)).get(file.facts())).flatMap(found -> found.column(0, BIGINT));
    }

    private void restarted(LearnedFacts facts)
            throws InterruptedException
    {
        close();
        writers.clear();
        facts.storeIn(disk());
    }

    @Test
    void anotherProcessFindsWhatWasLearned()
            throws InterruptedException
    {
        LearnedFacts before = facts(10 << 20);
        before.storeIn(disk());
        for (int i = 0; i < 3000; i++) {
            before.learned(i % 2 == 0 ? CLICKS : USERS, file(i, 1), value(i), before.epoch());
        }
        while (before.flush()) {
            // writes a part each time
        }
        LearnedFacts after = facts(10 << 20);
        assertThat(after.isStored(CLICKS)).isFalse();
        restarted(after);
        assertThat(after.isStored(CLICKS)).isTrue();
        for (int i = 0; i < 3000; i++) {
            SchemaTableName table = i % 2 == 0 ? CLICKS : USERS;
            assertThat(known(after, table, file(i, 1))).as("file %s", i).contains(Domain.singleValue(BIGINT, (long) i));
            assertThat(known(after, table, file(i, 2))).as("another version of file %s", i).isEmpty();
        }
        assertThat(known(after, CLICKS, file(1, 1))).as("a file of another table").isPresent(); // the key says all
    }

    @Test
    void nextVersionTakesThePlaceOfTheOneBefore()
            throws InterruptedException
    {
        LearnedFacts before = facts(10 << 20);
        before.storeIn(disk());
        before.learned(CLICKS, file(1, 1), value(1), before.epoch());
        before.flush();
        before.learned(CLICKS, file(1, 2), value(2), before.epoch());
        before.learned(CLICKS, file(2, 1), value(3), before.epoch());
        before.flush();
        LearnedFacts after = facts(10 << 20);
        restarted(after);
        assertThat(known(after, CLICKS, file(1, 1))).isEmpty();
        assertThat(known(after, CLICKS, file(1, 2))).contains(Domain.singleValue(BIGINT, 2L));
        assertThat(known(after, CLICKS, file(2, 1))).contains(Domain.singleValue(BIGINT, 3L));
    }

    @Test
    void memoryIsBoundedAndTheDiskServesTheRest()
            throws InterruptedException
    {
        LearnedFacts facts = facts(20_000);
        facts.storeIn(disk());
        for (int i = 0; i < 1000; i++) {
            facts.learned(CLICKS, file(i, 1), value(i), facts.epoch());
        }
        facts.flush();
        for (int i = 0; i < 1000; i++) {
            assertThat(known(facts, CLICKS, file(i, 1))).as("file %s", i).isPresent();
            assertThat(facts.memoryBytes()).isLessThanOrEqualTo(20_000);
        }
    }

    @Test
    void newTableTakesThePlaceOfTheOneUsedLongestAgo()
            throws InterruptedException
    {
        LearnedFacts before = facts(10 << 20);
        before.storeIn(disk());
        for (int i = 0; i < MOST_TABLES; i++) {
            before.learned(table(i), file(i, 1), value(i), before.epoch());
        }
        before.flush();
        int last = MOST_TABLES;
        for (int i = 1; i <= last; i++) {
            assertThat(known(before, table(i % last), file(i % last, 1))).isPresent();
        }
        before.learned(table(last), file(last, 1), value(last), before.epoch());
        before.flush();
        assertThat(before.isStored(table(1))).isFalse();
        LearnedFacts after = facts(10 << 20);
        restarted(after);
        assertThat(known(after, table(last), file(last, 1))).contains(Domain.singleValue(BIGINT, (long) last));
        assertThat(known(after, table(0), file(0, 1))).isPresent();
        assertThat(known(after, table(1), file(1, 1))).isEmpty();
        assertThat(known(after, table(2), file(2, 1))).isPresent();
    }

    private static SchemaTableName table(int number)
    {
        return new SchemaTableName("temporary", "t" + number);
    }

    @Test
    void learnedAfterItWasAbsent()
    {
        LearnedFacts facts = facts(10 << 20);
        facts.storeIn(disk());
        facts.learned(CLICKS, file(2, 1), value(2), facts.epoch());
        facts.flush();
        assertThat(known(facts, CLICKS, file(1, 1))).isEmpty();
        assertThat(facts.isKnown(file(1, 1))).isFalse();
        facts.learned(CLICKS, file(1, 1), value(1), facts.epoch());
        assertThat(facts.isKnown(file(1, 1))).isTrue();
        assertThat(known(facts, CLICKS, file(1, 1))).isPresent();
    }

    @Test
    void invalidatedTableIsForgottenForGood()
            throws InterruptedException
    {
        LearnedFacts before = facts(10 << 20);
        before.storeIn(disk());
        before.learned(CLICKS, file(1, 1), value(1), before.epoch());
        before.learned(USERS, file(2, 1), value(2), before.epoch());
        before.flush();
        before.invalidate(new Scope("hive", "web", "clicks", "ds=1"));
        assertThat(known(before, CLICKS, file(1, 1))).isEmpty();
        assertThat(known(before, USERS, file(2, 1))).isPresent();
        before.flush();
        LearnedFacts after = facts(10 << 20);
        restarted(after);
        assertThat(known(after, CLICKS, file(1, 1))).isEmpty();
        assertThat(known(after, USERS, file(2, 1))).isPresent();
    }

    @Test
    void factsThatWereReadBeforeAnInvalidationAreNotRemembered()
            throws InterruptedException
    {
        LearnedFacts facts = facts(10 << 20);
        facts.storeIn(disk());
        long epoch = facts.epoch();
        facts.invalidate(Scope.NONE);
        facts.learned(CLICKS, file(1, 1), value(1), epoch);
        assertThat(known(facts, CLICKS, file(1, 1))).isEmpty();
        facts.flush();
        restarted(facts);
        assertThat(known(facts, CLICKS, file(1, 1))).isEmpty();
    }

    @Test
    void factsThatAreInvalidatedWhileTheDiskReadsThemAreForgotten()
            throws InterruptedException
    {
        LearnedFacts before = facts(10 << 20);
        before.storeIn(disk());
        before.learned(CLICKS, file(1, 1), value(1), before.epoch());
        before.flush();
        LearnedFacts facts = facts(10 << 20);
        restarted(facts, "get", () -> facts.invalidate(Scope.NONE));
        assertThat(known(facts, CLICKS, file(1, 1))).as("the lookup began before").isPresent();
        assertThat(known(facts, CLICKS, file(1, 1))).isEmpty();
        assertThat(facts.isKnown(file(1, 1))).isFalse();
    }

    @Test
    void factsThatAreInvalidatedWhileTheyAreWrittenAreForgotten()
            throws InterruptedException
    {
        for (boolean known : List.of(false, true)) {
            LearnedFacts facts = facts(10 << 20);
            facts.storeIn(disk());
            if (known) {
                facts.learned(CLICKS, file(2, 1), value(2), facts.epoch());
                facts.flush();
            }
            restarted(facts, "put", () -> facts.invalidate(new Scope("hive", "web", "clicks", "")));
            facts.learned(CLICKS, file(1, 1), value(1), facts.epoch());
            facts.flush();
            assertThat(known(facts, CLICKS, file(1, 1))).isEmpty();
            assertThat(facts.isStored(CLICKS)).isFalse();
            facts.flush();
            LearnedFacts after = facts(10 << 20);
            restarted(after);
            assertThat(known(after, CLICKS, file(1, 1))).isEmpty();
            assertThat(known(after, CLICKS, file(2, 1))).isEmpty();
        }
    }

    /* Runs the action once, in a call of the disk. */
    private void restarted(LearnedFacts facts, String method, Runnable action)
            throws InterruptedException
    {
        close();
        writers.clear();
        BlobCache disk = disk();
        AtomicReference<Runnable> actions = new AtomicReference<>(() -> {});
        facts.storeIn((BlobCache) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {BlobCache.class}, (proxy, called,
                arguments) -> {
            if (called.getName().equals(method)) {
                actions.getAndSet(() -> {}).run();
            }
            return called.invoke(disk, arguments);
        }));
        // not in the reading of the root
        actions.set(action);
    }

    @Test
    void spentBudgetSurvivesARestart()
            throws InterruptedException
    {
        ReadBudget spent = budget();
        LearnedFacts before = new LearnedFacts(10 << 20, MOST_TABLES, spent);
        before.storeIn(disk());
        spent.spend(10, 1);
        before.flush();
        ReadBudget budget = budget();
        LearnedFacts after = new LearnedFacts(10 << 20, MOST_TABLES, budget);
        assertThat(budget.isLeft()).isTrue();
        restarted(after);
        assertThat(budget.isLeft()).isFalse();
    }

    @Test
    void withoutADiskNothingWaits()
    {
        LearnedFacts facts = facts(10 << 20);
        facts.learned(CLICKS, file(1, 1), value(1), facts.epoch());
        assertThat(facts.flush()).isFalse();
        assertThat(known(facts, CLICKS, file(1, 1))).isPresent();
    }
}
