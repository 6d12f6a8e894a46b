// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.statistics;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.eyrie.presto.catalog.CatalogMBeans;
import io.eyrie.presto.config.FileStatisticsConfig;
import io.eyrie.presto.control.Steerable;
import io.eyrie.presto.metastore.StoredBesideMetadata;

import static com.google.inject.multibindings.Multibinder.newSetBinder;

/** Binds the coordinator's statistics of files, over the proofs of fragments. */
public final class FileStatisticsModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(LearnedFacts.class).in(Scopes.SINGLETON);
        binder.bind(FilePruning.class).in(Scopes.SINGLETON);
        newSetBinder(binder, Steerable.class).addBinding().to(LearnedFacts.class);
        newSetBinder(binder, StoredBesideMetadata.class).addBinding().to(LearnedFacts.class);
    }

    @Provides
    @Singleton
    ReadBudget budget(FileStatisticsConfig config)
    {
        return new ReadBudget(config, System::currentTimeMillis);
    }

    @ProvidesIntoSet
    CatalogMBeans.Registration mbeans(FilePruning pruning)
    {
        return mbeans -> mbeans.register("FileStatistics", CatalogMBeans.metrics().add(FileStatisticsStats.class, pruning::stats));
    }
}
