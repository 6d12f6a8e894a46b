package io.eyrie.presto.fragment;

import com.facebook.presto.spi.connector.ConnectorPageSourceProvider;
import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Scopes;

/** Binds page sources that serve leaves, over those that read through the page cache. */
public final class FragmentReadModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        binder.bind(SplitKeys.class).in(Scopes.SINGLETON);
        binder.bind(ConnectorPageSourceProvider.class).to(LeafPageSourceProvider.class).in(Scopes.SINGLETON);
    }
}
