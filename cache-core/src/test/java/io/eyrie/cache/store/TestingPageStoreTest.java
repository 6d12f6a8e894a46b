// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

final class TestingPageStoreTest
        extends PageStoreControlContract
{
    @Override
    protected PageStore createStore()
    {
        TestingPageStore store = new TestingPageStore();
        store.resize(20 * PAGE_BYTES);
        return store;
    }
}
