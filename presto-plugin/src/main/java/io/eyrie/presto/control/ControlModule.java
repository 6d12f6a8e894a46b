// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import io.eyrie.cache.page.PageCache;
import io.eyrie.presto.config.ControlConfig;

import javax.inject.Singleton;

import java.util.Optional;
import java.util.Set;

import static com.facebook.airlift.configuration.ConfigBinder.configBinder;
import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static java.util.Objects.requireNonNull;

/** Binds the classes with which operators control the caches. The layers add themselves to the set of {@link Steerable}s. */
public final class ControlModule
        implements Module
{
    private final String catalogName;

    public ControlModule(String catalogName)
    {
        this.catalogName = requireNonNull(catalogName, "catalogName is null");
    }

    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(ControlConfig.class);
        newSetBinder(binder, Steerable.class);
        binder.bind(OperatorRights.class).in(Scopes.SINGLETON);
        binder.bind(ExistingNames.class).in(Scopes.SINGLETON);
        binder.bind(NodeLimits.class).in(Scopes.SINGLETON);
        binder.bind(ControlProcedures.class).in(Scopes.SINGLETON);
    }

    @Provides
    @Singleton
    Control control(ControlConfig config, Set<Steerable> layers, Optional<PageCache> pages)
    {
        return new Control(catalogName, config, layers, pages);
    }
}
