// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.block.BlockEncodingSerde;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.function.StandardFunctionResolution;
import com.facebook.presto.spi.relation.RowExpressionService;
import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.statistics.SplitPredicate;
import io.eyrie.presto.catalog.CatalogName;
import io.eyrie.presto.warm.Warmer;

import static java.util.Objects.requireNonNull;
import static org.weakref.jmx.ObjectNames.generatedNameOf;
import static org.weakref.jmx.guice.ExportBinder.newExporter;

/** Binds the page sources that serve leaves, on top of those that read through the page cache. */
public final class FragmentReadModule
        implements Module
{
    private final CatalogName catalog;

    public FragmentReadModule(CatalogName catalog)
    {
        this.catalog = requireNonNull(catalog, "catalog is null");
    }

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
        binder.bind(FileStatistics.class).in(Scopes.SINGLETON);
        binder.bind(OrcStatistics.class).in(Scopes.SINGLETON);
        binder.bind(ParquetStatistics.class).in(Scopes.SINGLETON);
        binder.bind(LeafPageSourceProvider.class).in(Scopes.SINGLETON);
        binder.bind(FragmentCache.class).in(Scopes.SINGLETON);
        newExporter(binder).export(FragmentCache.class).as(generatedNameOf(FragmentCache.class, catalog.name()));
    }

    @Provides
    @Singleton
    SplitPredicate.Factory predicates(RowExpressionService expressions, StandardFunctionResolution functions, FragmentParts parts)
    {
        return new SplitPredicate.Factory(expressions.getDomainTranslator(), functions, expressions, parts::proofFailed);
    }

    @Provides
    @Singleton
    CanonicalLeaf.Factory canonical(FunctionMetadataManager functions, BlockEncodingSerde blocks)
    {
        return new CanonicalLeaf.Factory(functions, blocks, (column, writer) -> SplitKeys.column((HiveColumnHandle) column, writer));
    }
}
