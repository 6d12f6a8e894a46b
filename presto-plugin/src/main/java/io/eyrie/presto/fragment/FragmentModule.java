// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.block.BlockEncodingSerde;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.rule.HivePlanOptimizerProvider;
import com.facebook.presto.spi.connector.ConnectorPlanOptimizerProvider;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.function.StandardFunctionResolution;
import com.facebook.presto.spi.relation.RowExpressionService;
import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.OptionalBinder;
import io.eyrie.cache.page.PageCache;
import io.eyrie.fragment.join.Conditions;
import io.eyrie.fragment.join.ImpliedConditions;
import io.eyrie.fragment.key.CanonicalJoin;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.leaf.LeafReader;
import io.eyrie.presto.control.Steerable;

import static com.google.inject.multibindings.Multibinder.newSetBinder;

/** Binds the optimizer that takes leaves out of plans. {@link FragmentReadModule} binds the page sources that serve them. */
public final class FragmentModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        // FragmentOptimizerProvider delegates to it; Presto binds it only as the ConnectorPlanOptimizerProvider, which is now FragmentOptimizerProvider
        binder.bind(HivePlanOptimizerProvider.class).in(Scopes.SINGLETON);
        binder.bind(ConnectorPlanOptimizerProvider.class).to(FragmentOptimizerProvider.class).in(Scopes.SINGLETON);
        binder.bind(FragmentParts.class).in(Scopes.SINGLETON);
        newSetBinder(binder, Steerable.class).addBinding().to(FragmentParts.class);
        binder.bind(FragmentSessionProperties.class).in(Scopes.SINGLETON);
        binder.bind(JoinAdmissions.class).in(Scopes.SINGLETON);
        binder.bind(JoinOptimizer.class).in(Scopes.SINGLETON);
        binder.bind(DimensionListing.class).in(Scopes.SINGLETON);
        OptionalBinder.newOptionalBinder(binder, PageCache.class);
    }

    @Provides
    @Singleton
    CanonicalLeaf.Factory canonical(FunctionMetadataManager functions, BlockEncodingSerde blocks)
    {
        return new CanonicalLeaf.Factory(functions, blocks, (column, writer) -> SplitKeys.column((HiveColumnHandle) column, writer));
    }

    @Provides
    @Singleton
    LeafReader leaves(FunctionMetadataManager functions, FragmentParts parts)
    {
        return new LeafReader(functions, function -> parts.engine().filter(engine -> engine.isOwn(function)).isPresent());
    }

    @Provides
    @Singleton
    CanonicalJoin.Factory canonicalJoins(FunctionMetadataManager functions, BlockEncodingSerde blocks)
    {
        return new CanonicalJoin.Factory(functions, blocks);
    }

    @Provides
    @Singleton
    Conditions conditions(FunctionMetadataManager functions, StandardFunctionResolution standard)
    {
        return new Conditions(functions, standard);
    }

    @Provides
    @Singleton
    ImpliedConditions implied(RowExpressionService expressions, Conditions conditions)
    {
        return new ImpliedConditions(expressions.getDomainTranslator(), conditions);
    }
}
