// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.spi.function.StandardFunctionResolution;
import com.facebook.presto.spi.relation.RowExpressionService;
import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.eyrie.cache.metric.MetricsMBean;
import io.eyrie.fragment.join.JoinRefusal;
import io.eyrie.fragment.leaf.Refusal;
import io.eyrie.fragment.leaf.RefusalCounters;
import io.eyrie.fragment.result.Abandonment;
import io.eyrie.fragment.result.FragmentStats;
import io.eyrie.fragment.statistics.SplitPredicate;
import io.eyrie.presto.catalog.CatalogMBeans;
import io.eyrie.presto.control.Steerable;
import io.eyrie.presto.warm.Warmer;

import static com.google.inject.multibindings.Multibinder.newSetBinder;

/** Binds the page sources that serve leaves, on top of those that read through the page cache. */
public final class FragmentReadModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(SplitKeys.class).in(Scopes.SINGLETON);
        binder.bind(SplitVersions.class).in(Scopes.SINGLETON);
        binder.bind(Warmer.class).in(Scopes.SINGLETON);
        binder.bind(ExcludedSplits.class).in(Scopes.SINGLETON);
        binder.bind(SplitLeaves.class).in(Scopes.SINGLETON);
        binder.bind(UnreadSplits.class).in(Scopes.SINGLETON);
        binder.bind(SplitRanges.class).in(Scopes.SINGLETON);
        binder.bind(FileDomains.class).in(Scopes.SINGLETON);
        newSetBinder(binder, Steerable.class).addBinding().to(FileDomains.class);
        newSetBinder(binder, Steerable.class).addBinding().to(UnreadSplits.class);
        binder.bind(FileStatistics.class).in(Scopes.SINGLETON);
        binder.bind(FileProofs.class).in(Scopes.SINGLETON);
        binder.bind(OrcStatistics.class).in(Scopes.SINGLETON);
        binder.bind(ParquetStatistics.class).in(Scopes.SINGLETON);
        binder.bind(BuildMemory.class).in(Scopes.SINGLETON);
        binder.bind(JoinScans.class).in(Scopes.SINGLETON);
        binder.bind(LeafPageSourceProvider.class).in(Scopes.SINGLETON);
    }

    @Provides
    @Singleton
    SplitPredicate.Factory predicates(RowExpressionService expressions, StandardFunctionResolution functions, FragmentParts parts)
    {
        return new SplitPredicate.Factory(expressions.getDomainTranslator(), functions, expressions, parts::proofFailed);
    }

    /** A coordinator counts plans, a worker counts results. */
    @ProvidesIntoSet
    CatalogMBeans.Registration mbeans(FragmentParts parts, BuildMemory builds)
    {
        RefusalCounters refusals = parts.refusals();
        MetricsMBean metrics = CatalogMBeans.metrics()
                .add(RefusalCounters.class, () -> refusals)
                .add(FragmentParts.class, () -> parts)
                .add(JoinCounters.class, parts::joins)
                .add(FragmentStats.class, parts::stats)
                .add("currentBuildSideBytes", "bytes of memory reserved for build sides of cached joins", builds::reservedBytes);
        for (Refusal reason : Refusal.values()) {
            metrics.add(
                    MetricsMBean.join("refused", reason),
                    "leaf fragments refused because " + reason.description(),
                    () -> refusals.reasons().getOrDefault(reason, 0L));
        }
        for (JoinRefusal reason : JoinRefusal.values()) {
            metrics.add(
                    MetricsMBean.join("refusedJoins", reason),
                    "joins left as Presto planned them because " + reason.description(),
                    () -> parts.joins().refused(reason));
        }
        for (Abandonment reason : Abandonment.values()) {
            metrics.add(
                    MetricsMBean.join("abandoned", reason),
                    "results not stored: " + reason.description(),
                    () -> parts.stats().abandoned().getOrDefault(reason, 0L));
        }
        return mbeans -> mbeans.register("FragmentCache", metrics);
    }
}
