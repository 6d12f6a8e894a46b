// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.admission;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import static io.eyrie.cache.admission.Admission.ADMITTED;
import static io.eyrie.cache.admission.Admission.DENIED_BY_RULE;
import static io.eyrie.cache.admission.Admission.OVER_DAILY_BUDGET;
import static io.eyrie.cache.admission.Admission.OVER_QUERY_BUDGET;
import static io.eyrie.cache.admission.Admission.SEEN_ONCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

final class AdmissionTest
{
    private static final long HOUR = 3_600_000;
    private static final PageKey PAGE = new PageKey(1, 2, 3);
    private static final Scope CLICKS = new Scope("hive", "web", "clicks", "ds=2026-11-21");

    private final AtomicLong clock = new AtomicLong(1_000_000 * HOUR);

    @Test
    void patternsNameTables()
    {
        assertThat(List.of("hive.web.clicks", "*.*.*", "hive.*.cl*ks", "HIVE.Web.*", "*ive.w*.*i*", " hive.web.clicks "))
                .allMatch(pattern -> TablePattern.parse(pattern).matches(CLICKS));
        assertThat(List.of("hive.web.click", "hive.web.clicks2", "other.*.*", "hive.w.clicks", "hive.web.c?icks", "hive.web.[a-z]*"))
                .noneMatch(pattern -> TablePattern.parse(pattern).matches(CLICKS));
    }

    @Test
    void patternThatIsNone()
    {
        assertThat(List.of("", "*", "hive.web", "hive.web.clicks.ds", "hive..clicks", "hive.web. "))
                .allSatisfy(text -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> TablePattern.parse(text))
                        .withMessage("'" + text + "' is not a table pattern: use catalog.schema.table, * for any, such as hive.web.*"));
    }

    @Test
    void tableThatIsNotKnown()
    {
        assertThat(TablePattern.parse("*.*.*").matches(Scope.NONE)).isTrue();
        assertThat(TablePattern.parse("hive.*.*").matches(Scope.NONE)).isFalse();
    }

    @Test
    void denyBeatsAllow()
    {
        AdmissionPolicy policy = rules("hive.web.*, hive.ads.*", "*.*.clicks").create(Optional.empty());

        assertThat(admit(policy, CLICKS)).isEqualTo(DENIED_BY_RULE);
        assertThat(admit(policy, new Scope("hive", "web", "views", ""))).isEqualTo(ADMITTED);
        assertThat(admit(policy, new Scope("hive", "other", "views", ""))).isEqualTo(DENIED_BY_RULE);
        assertThat(policy.mayAdmit(CLICKS)).isFalse();
        assertThat(policy.mayAdmit(new Scope("hive", "web", "views", ""))).isTrue();
    }

    @Test
    void denyAloneAllowsTheRest()
    {
        AdmissionPolicy policy = rules("", "*.*.clicks").create(Optional.empty());

        assertThat(admit(policy, CLICKS)).isEqualTo(DENIED_BY_RULE);
        assertThat(admit(policy, Scope.NONE)).isEqualTo(ADMITTED);
    }

    @Test
    void whatIsMissedAgainIsKept()
    {
        AdmissionPolicy policy = new AdmissionConfig(List.of(), List.of(), 100_000, OptionalLong.empty(), false).create(Optional.empty());
        List<PageKey> pages = IntStream.range(0, 1000).mapToObj(page -> new PageKey(page % 7 * 0x9E3779B97F4A7C15L, page % 7, page)).toList();

        assertThat(pages.stream().filter(page -> policy.admit(page, CLICKS, 1, WriteBudget.UNLIMITED) == SEEN_ONCE)).hasSize(1000);
        assertThat(pages.stream().filter(page -> policy.admit(page, CLICKS, 1, WriteBudget.UNLIMITED) == ADMITTED)).hasSizeGreaterThan(950);
    }

    @Test
    void whatWasMissedLongAgoIsForgotten()
    {
        AdmissionPolicy policy = new SecondTouch(10);
        admit(policy, CLICKS);
        for (int page = 0; page < 1000; page++) {
            policy.admit(new PageKey(page * 0x9E3779B97F4A7C15L, page, 1), CLICKS, 1, WriteBudget.UNLIMITED);
        }
        assertThat(admit(policy, CLICKS)).isEqualTo(SEEN_ONCE);
    }

    @Test
    void orderedPageIsKeptTheFirstTime()
    {
        AdmissionPolicy policy = new SecondTouch(10);
        assertThat(policy.admit(PAGE, CLICKS, 1, WriteBudget.ORDERED)).isEqualTo(ADMITTED);
        assertThat(policy.admit(PAGE, CLICKS, 1, WriteBudget.UNLIMITED)).as("and is not remembered as seen").isEqualTo(SEEN_ONCE);
    }

    @Test
    void queryThatHasWrittenEnough()
    {
        AdmissionPolicy policy = AdmissionConfig.DEFAULT.create(Optional.empty());
        WriteBudget budget = new QueryBudget(100);

        assertThat(policy.admit(PAGE, CLICKS, 60, budget)).isEqualTo(ADMITTED);
        assertThat(policy.admit(PAGE, CLICKS, 41, budget)).isEqualTo(OVER_QUERY_BUDGET);
        assertThat(policy.admit(PAGE, CLICKS, 40, budget)).isEqualTo(ADMITTED);
        assertThat(policy.admit(PAGE, CLICKS, 1, budget)).isEqualTo(OVER_QUERY_BUDGET);
        assertThat(policy.admit(PAGE, CLICKS, 1, WriteBudget.UNLIMITED)).isEqualTo(ADMITTED);
    }

    @Test
    void budgetSharedByThreads()
    {
        WriteBudget budget = new QueryBudget(1000);
        assertThat(IntStream.range(0, 5000).parallel().filter(i -> budget.take(1)).count()).isEqualTo(1000);
    }

    @Test
    void bytesOfTheLastDayCount()
    {
        DailyBudget budget = new DailyBudget(100, clock::get);

        assertThat(take(budget, 60)).isEqualTo(ADMITTED);
        clock.addAndGet(12 * HOUR);
        assertThat(take(budget, 41)).isEqualTo(OVER_DAILY_BUDGET);
        assertThat(take(budget, 40)).isEqualTo(ADMITTED);
        clock.addAndGet(12 * HOUR - 1);
        assertThat(budget.spentBytes()).isEqualTo(100);
        clock.addAndGet(HOUR);
        assertThat(budget.spentBytes()).isEqualTo(40);
        assertThat(take(budget, 61)).isEqualTo(OVER_DAILY_BUDGET);
        assertThat(take(budget, 60)).isEqualTo(ADMITTED);
        clock.addAndGet(1000 * HOUR);
        assertThat(budget.spentBytes()).isZero();
    }

    @Test
    void clockSetBack()
    {
        DailyBudget budget = new DailyBudget(100, clock::get);
        take(budget, 70);
        clock.addAndGet(-100 * HOUR);

        assertThat(take(budget, 31)).isEqualTo(OVER_DAILY_BUDGET);
        assertThat(take(budget, 30)).isEqualTo(ADMITTED);
    }

    @Test
    void dailyBudgetSurvivesARestart()
    {
        DailyBudget before = new DailyBudget(100, clock::get);
        take(before, 50);
        clock.addAndGet(10 * HOUR);
        take(before, 30);
        clock.addAndGet(10 * HOUR);
        DailyBudget after = new DailyBudget(100, clock::get);
        after.restore(before.state());

        assertThat(after.spentBytes()).isEqualTo(80);
        assertThat(take(after, 21)).isEqualTo(OVER_DAILY_BUDGET);
        clock.addAndGet(5 * HOUR);
        assertThat(after.spentBytes()).isEqualTo(30);
    }

    @Test
    void stateOfTimesToComeOrOfNoSense()
    {
        DailyBudget before = new DailyBudget(100, clock::get);
        take(before, 50);
        List<Long> state = before.state();
        clock.addAndGet(-100 * HOUR);
        DailyBudget after = new DailyBudget(100, clock::get);
        after.restore(state);
        assertThat(after.spentBytes()).isEqualTo(50);

        after.restore(List.of());
        after.restore(state.stream().map(value -> -value).toList());
        assertThat(after.spentBytes()).isEqualTo(50);
        after.restore(state.stream().map(value -> value == 50 ? Long.MAX_VALUE : value).toList());
        assertThat(take(after, 1)).isEqualTo(OVER_DAILY_BUDGET);
    }

    @Test
    void stateTooOldToCount()
    {
        DailyBudget before = new DailyBudget(100, clock::get);
        take(before, 50);
        List<Long> state = before.state();
        clock.addAndGet(25 * HOUR);
        DailyBudget after = new DailyBudget(100, clock::get);
        after.restore(state);

        assertThat(after.spentBytes()).isZero();
    }

    @Test
    void refusedByARuleTakesFromNoBudget()
    {
        DailyBudget daily = new DailyBudget(100, clock::get);
        AdmissionPolicy policy = new AdmissionConfig(List.of(), List.of(TablePattern.parse("*.*.clicks")), 0, OptionalLong.of(100), false).create(
                Optional.of(daily));
        WriteBudget budget = new QueryBudget(10);
        policy.admit(PAGE, CLICKS, 10, budget);

        assertThat(daily.spentBytes()).isZero();
        assertThat(budget.take(10)).isTrue();
    }

    @Test
    void decisionsAreCounted()
    {
        DailyBudget daily = new DailyBudget(100, clock::get);
        CountedAdmission policy = new AdmissionConfig(List.of(), List.of(TablePattern.parse("*.*.clicks")), 0, OptionalLong.of(100), false).create(
                Optional.of(daily));
        policy.admit(PAGE, CLICKS, 7, WriteBudget.UNLIMITED);
        policy.admit(PAGE, Scope.NONE, 80, WriteBudget.UNLIMITED);
        policy.admit(PAGE, Scope.NONE, 30, WriteBudget.UNLIMITED);
        policy.admit(PAGE, Scope.NONE, 31, WriteBudget.UNLIMITED);

        assertThat(policy.stats()).isEqualTo(new AdmissionStats(
                Map.of(ADMITTED, 1L, DENIED_BY_RULE, 1L, OVER_DAILY_BUDGET, 2L, OVER_QUERY_BUDGET, 0L, SEEN_ONCE, 0L),
                Map.of(ADMITTED, 80L, DENIED_BY_RULE, 7L, OVER_DAILY_BUDGET, 61L, OVER_QUERY_BUDGET, 0L, SEEN_ONCE, 0L)));
    }

    @Test
    void dryRunKeepsEverythingAndCounts()
    {
        CountedAdmission policy = new AdmissionConfig(List.of(), List.of(TablePattern.parse("*.*.clicks")), 0, OptionalLong.empty(), true).create(
                Optional.empty());

        assertThat(admit(policy, CLICKS)).isEqualTo(ADMITTED);
        assertThat(policy.stats().decisions()).containsEntry(DENIED_BY_RULE, 1L).containsEntry(ADMITTED, 0L);
    }

    @Test
    void whatOperatorsSayGoesBeforeTheConfiguration()
    {
        CountedAdmission policy = rules("hive.web.*", "*.*.clicks").create(Optional.empty());
        assertThat(admit(policy, CLICKS)).isEqualTo(DENIED_BY_RULE);
        policy.steer(List.of(steering("hive.web.clicks", true)));
        assertThat(admit(policy, CLICKS)).isEqualTo(ADMITTED);
        policy.steer(List.of(steering("hive.web.*", false, "hive.web.clicks", true)));
        assertThat(admit(policy, CLICKS)).as("the first counts").isEqualTo(DENIED_BY_RULE);
        policy.steer(List.of());
        assertThat(admit(policy, CLICKS)).isEqualTo(DENIED_BY_RULE);
    }

    private static Steering steering(Object... rules)
    {
        List<Steering.CachingRule> all = new ArrayList<>();
        for (int i = 0; i < rules.length; i += 2) {
            all.add(new Steering.CachingRule(TablePattern.parse((String) rules[i]), (boolean) rules[i + 1]));
        }
        return new Steering(all, Set.of());
    }

    private static AdmissionConfig rules(String allow, String deny)
    {
        return new AdmissionConfig(patterns(allow), patterns(deny), 0, OptionalLong.empty(), false);
    }

    private static List<TablePattern> patterns(String list)
    {
        return list.isEmpty() ? List.of() : Arrays.stream(list.split(",")).map(TablePattern::parse).toList();
    }

    private static Admission admit(AdmissionPolicy policy, Scope scope)
    {
        return policy.admit(PAGE, scope, 1, WriteBudget.UNLIMITED);
    }

    private static Admission take(DailyBudget budget, long bytes)
    {
        return budget.admit(PAGE, CLICKS, bytes, WriteBudget.UNLIMITED);
    }
}
