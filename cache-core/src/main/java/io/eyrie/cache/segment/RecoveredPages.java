// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.policy.EvictionPolicy;
import io.eyrie.cache.policy.RestoreOrder;

/** Orders a {@link PageTable}'s pages and limits their number while the journal is replayed. */
final class RecoveredPages
        implements PageTableReplay.Pages
{
    private final TableSettings settings;
    private final PageIndex index;
    private final Scopes scopes;
    private final RestoreOrder order;

    RecoveredPages(TableSettings settings, PageIndex index, Scopes scopes, EvictionPolicy policy)
    {
        this.settings = settings;
        this.index = index;
        this.scopes = scopes;
        order = new RestoreOrder(policy, Records.STORAGE_CLASSES);
    }

    @Override
    public boolean hasRoom(int scope)
    {
        return PageSpace.memoryBytes(index, scopes) + TableSettings.memoryBytes(scopes.hasPages(scope)) <= settings.indexMemoryBytes();
    }

    @Override
    public int victim()
    {
        return order.victim(Eviction.indexGiver(order::size));
    }

    @Override
    public void added(int entry, int state)
    {
        order.add(entry, index.storageClass(entry), state);
    }

    @Override
    public void removed(int entry)
    {
        order.remove(entry, index.storageClass(entry));
    }

    @Override
    public void drain(RestoreOrder.Visitor visitor)
    {
        order.drain(visitor);
    }
}
