// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.airlift.log.Logger;
import io.eyrie.cache.admission.Steering;
import io.eyrie.cache.admission.TablePattern;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.PageCacheControl;
import io.eyrie.presto.catalog.CatalogName;
import io.eyrie.presto.control.ControlState;
import io.eyrie.presto.control.Steerable;

import javax.inject.Inject;

import java.util.HashMap;
import java.util.Map;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toUnmodifiableSet;

/**
 * Applies operators' commands to the pages on the disks. Catalogs that share directories share their capacity; the catalog that is steered last
 * determines it.
 */
final class SteeredPages
        implements Steerable
{
    private static final Logger log = Logger.get(SteeredPages.class);

    private final PageCache pages;
    private final PageCacheConfig config;
    private final CatalogName catalog;
    private long capacityBytes;

    @Inject
    SteeredPages(PageCache pages, PageCacheConfig config, CatalogName catalog)
    {
        this.pages = requireNonNull(pages, "pages is null");
        this.config = requireNonNull(config, "config is null");
        this.catalog = requireNonNull(catalog, "catalog is null");
        capacityBytes = config.capacityBytes();
    }

    @Override
    public void invalidate(Scope scope)
    {
        try {
            pages.control().invalidate(scope);
        }
        catch (UnsupportedOperationException e) {
            log.warn("Catalog %s: cannot invalidate pages: %s", catalog.name(), e.getMessage());
        }
    }

    @Override
    public void steer(ControlState state)
    {
        PageCacheControl control;
        try {
            control = pages.control();
        }
        catch (UnsupportedOperationException e) {
            log.warn("Catalog %s: operators' rules, pins, quotas and capacity have no effect on pages: %s", catalog.name(), e.getMessage());
            return;
        }
        control.steer(catalog.name(), new Steering(
                state.rules().stream().map(this::rule).toList(),
                state.pins().stream().map(pin -> pin.scope(catalog.name())).collect(toUnmodifiableSet())));
        Map<Scope, Long> quotas = new HashMap<>(config.quotas().orElse(Map.of()));
        quotas.keySet().removeIf(scope -> !scope.catalog().equals(catalog.name()));
        state.quotas().forEach(quota -> quotas.put(quota.target().scope(catalog.name()), quota.bytes()));
        // also replaces quotas from before a restart, because the store persists them
        control.setQuotas(scope -> scope.catalog().equals(catalog.name()), quotas);
        long newCapacity = state.capacityBytes() == null ? config.capacityBytes() : state.capacityBytes();
        if (newCapacity != capacityBytes) {
            control.resize(newCapacity);
            capacityBytes = newCapacity;
        }
        pages.enforceLimits();
        control.recordTrace(catalog.name(), state.traceUntilMillis());
    }

    private Steering.CachingRule rule(ControlState.Rule rule)
    {
        return new Steering.CachingRule(TablePattern.parse(catalog.name() + "." + rule.schema() + "." + rule.table()), rule.allowed());
    }
}
