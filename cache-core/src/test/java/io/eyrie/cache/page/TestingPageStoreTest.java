package io.eyrie.cache.page;

final class TestingPageStoreTest
        extends PageStoreContract
{
    @Override
    protected PageStore createStore()
    {
        return new TestingPageStore();
    }
}
