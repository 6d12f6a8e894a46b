// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import io.eyrie.cache.file.Scope;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Optional;

import static io.eyrie.cache.page.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** The additional contract of a {@link PageStore} that supports invalidation, quotas and resizing. */
public abstract class PageStoreControlContract
        extends PageStoreContract
{
    private static final Scope TABLE = new Scope("hive", "web", "clicks", "");

    protected static PageTags tags(String schema, String table, String partition)
    {
        return new PageTags(new Scope("hive", schema, table, partition), StorageClass.DATA);
    }

    private WriteOutcome write(int file, PageTags tags)
    {
        return write(store, key(file, 0), tags, store.epoch());
    }

    private void setQuota(Scope scope, long bytes)
    {
        store.setQuotas(scope::equals, Map.of(scope, bytes));
    }

    private void removeQuota(Scope scope)
    {
        store.setQuotas(scope::equals, Map.of());
    }

    private boolean isThere(int file)
    {
        Optional<byte[]> bytes = read(store, key(file, 0), 0, PAGE_BYTES);
        bytes.ifPresent(there -> assertThat(there).isEqualTo(page(key(file, 0))));
        return bytes.isPresent();
    }

    private int count(int firstFile, int files)
    {
        int count = 0;
        for (int file = firstFile; file < firstFile + files; file++) {
            count += isThere(file) ? 1 : 0;
        }
        return count;
    }

    @Test
    void invalidatedFileIsGoneAndNoOther()
    {
        for (int page = 0; page < 5; page++) {
            write(store, key(1, page));
            write(store, key(2, page));
        }
        store.invalidateFile(key(1, 3));
        for (int page = 0; page < 5; page++) {
            assertThat(read(store, key(1, page), 0, 10)).isEmpty();
            assertThat(contains(store, key(1, page))).isFalse();
            assertThat(store.presentGranules(key(1, page), 0)).isZero();
            assertThat(read(store, key(2, page), 0, PAGE_BYTES)).hasValue(page(key(2, page)));
        }
        assertThat(write(store, key(1, 0))).isEqualTo(WriteOutcome.STORED);
        assertThat(read(store, key(1, 0), 0, PAGE_BYTES)).hasValue(page(key(1, 0)));
        assertThat(read(store, key(1, 1), 0, 10)).isEmpty();
    }

    @Test
    void loadThatBeganBeforeItsFileWasInvalidatedIsNotPublished()
    {
        long before = store.epoch();
        store.invalidateFile(key(1, 0));
        assertThat(store.epoch()).isGreaterThan(before);
        assertThat(store.isStale(key(1, 7), TAGS.scope(), before)).isTrue();
        assertThat(store.isStale(key(2, 0), TAGS.scope(), before)).isFalse();
        assertThat(write(store, key(1, 0), TAGS, before)).isEqualTo(WriteOutcome.STALE);
        assertThat(write(store, key(1, 7), TAGS, before)).isEqualTo(WriteOutcome.STALE);
        assertThat(read(store, key(1, 0), 0, 10)).isEmpty();
        assertThat(write(store, key(2, 0), TAGS, before)).isEqualTo(WriteOutcome.STORED);
        assertThat(write(store, key(1, 0), TAGS, store.epoch())).isEqualTo(WriteOutcome.STORED);
    }

    @Test
    void loadThatBeganBeforeItsScopeWasInvalidatedIsNotPublished()
    {
        long before = store.epoch();
        store.invalidate(TABLE);
        assertThat(store.isStale(key(1, 0), TAGS.scope(), before)).isTrue();
        assertThat(store.isStale(key(1, 0), tags("web", "views", "").scope(), before)).isFalse();
        assertThat(write(store, key(1, 0), TAGS, before)).isEqualTo(WriteOutcome.STALE);
        assertThat(read(store, key(1, 0), 0, 10)).isEmpty();
        assertThat(write(store, key(1, 0), tags("web", "views", ""), before)).isEqualTo(WriteOutcome.STORED);
        assertThat(write(store, key(2, 0), TAGS, store.epoch())).isEqualTo(WriteOutcome.STORED);
    }

    @Test
    void invalidatedScopeIsGoneWithAllWithinIt()
    {
        write(1, tags("web", "clicks", "ds=1"));
        write(2, tags("web", "clicks", "ds=2"));
        write(3, tags("web", "views", "ds=1"));
        write(4, tags("shop", "clicks", "ds=1"));
        write(5, new PageTags(Scope.NONE, StorageClass.FOOTER));
        store.invalidate(new Scope("hive", "web", "clicks", "ds=1"));
        assertThat(isThere(1)).isFalse();
        assertThat(count(2, 4)).isEqualTo(4);
        store.invalidate(TABLE);
        assertThat(isThere(2)).isFalse();
        assertThat(count(3, 3)).isEqualTo(3);
        store.invalidate(new Scope("hive", "web", "", ""));
        assertThat(isThere(3)).isFalse();
        assertThat(count(4, 2)).isEqualTo(2);
        store.invalidate(new Scope("", "", "clicks", ""));
        assertThat(isThere(4)).isFalse();
        assertThat(isThere(5)).isTrue();
        store.invalidate(Scope.NONE);
        assertThat(isThere(5)).isFalse();
    }

    @Test
    void spaceOfWhatWasInvalidatedIsUsedAgain()
    {
        for (int round = 0; round < 5; round++) {
            for (int file = 0; file < 10; file++) {
                assertThat(write(file, TAGS)).isEqualTo(WriteOutcome.STORED);
            }
            assertThat(count(0, 10)).isEqualTo(10);
            store.invalidate(TABLE);
            assertThat(count(0, 10)).isZero();
        }
    }

    @Test
    void removalDoesNotStopALoad()
    {
        long before = store.epoch();
        store.remove(key(1, 0));
        assertThat(write(store, key(1, 0), TAGS, before)).isEqualTo(WriteOutcome.STORED);
    }

    @Test
    void quotaBoundsItsScopeAlone()
    {
        setQuota(TABLE, 4 * PAGE_BYTES);
        for (int file = 0; file < 6; file++) {
            write(100 + file, tags("web", "views", "ds=1"));
        }
        for (int file = 0; file < 8; file++) {
            write(file, tags("web", "clicks", "ds=" + file));
        }
        assertThat(store.quotas()).isEqualTo(Map.of(TABLE, 4L * PAGE_BYTES));
        assertThat(count(0, 8)).isBetween(1, 4);
        assertThat(count(100, 6)).isEqualTo(6);
        removeQuota(TABLE);
        assertThat(store.quotas()).isEmpty();
        for (int file = 0; file < 8; file++) {
            write(file, tags("web", "clicks", "ds=" + file));
        }
        assertThat(count(0, 8)).isEqualTo(8);
    }

    @Test
    void quotasOfTheNamedScopesAreReplaced()
    {
        Scope other = new Scope("other", "web", "", "");
        store.setQuotas(scope -> true, Map.of(TABLE, 6L * PAGE_BYTES, new Scope("hive", "shop", "", ""), 5L, other, 6L));
        store.setQuotas(scope -> scope.catalog().equals("hive"), Map.of(TABLE, 4L * PAGE_BYTES, Scope.NONE, 90L * PAGE_BYTES));
        assertThat(store.quotas()).isEqualTo(Map.of(TABLE, 4L * PAGE_BYTES, Scope.NONE, 90L * PAGE_BYTES, other, 6L));
        for (int file = 0; file < 8; file++) {
            write(file, TAGS);
        }
        assertThat(count(0, 8)).isBetween(1, 4);
    }

    @Test
    void loweredQuotaEvicts()
    {
        for (int file = 0; file < 8; file++) {
            write(file, TAGS);
        }
        setQuota(TABLE, 8 * PAGE_BYTES);
        setQuota(TABLE, 3 * PAGE_BYTES);
        eventually("the quota holds", () -> count(0, 8) <= 3);
        setQuota(new Scope("hive", "", "", ""), 0);
        eventually("nothing is left", () -> count(0, 8) == 0);
        assertThat(write(1, TAGS)).isEqualTo(WriteOutcome.DECLINED);
        assertThat(isThere(1)).isFalse();
    }

    @Test
    void innerAndOuterQuotaBothHold()
    {
        setQuota(TABLE, 5 * PAGE_BYTES);
        setQuota(new Scope("hive", "web", "", ""), 6 * PAGE_BYTES);
        for (int file = 0; file < 6; file++) {
            write(file, TAGS);
        }
        assertThat(count(0, 6)).isBetween(1, 5);
        for (int file = 6; file < 12; file++) {
            write(file, tags("web", "views", ""));
        }
        assertThat(count(0, 12)).isBetween(1, 6);
    }

    @Test
    void resizedStoreHoldsLessThenMore()
    {
        for (int file = 0; file < 12; file++) {
            write(file, TAGS);
        }
        store.resize(6 * PAGE_BYTES);
        assertThat(store.stats().capacityBytes()).isEqualTo(6 * PAGE_BYTES);
        eventually("the capacity holds", () -> store.stats().currentBytes() <= 6 * PAGE_BYTES);
        assertThat(count(0, 12)).isLessThanOrEqualTo(6);
        for (int file = 0; file < 12; file++) {
            write(file, TAGS);
            assertThat(store.stats().currentBytes()).isLessThanOrEqualTo(6 * PAGE_BYTES);
        }
        store.resize(80 * PAGE_BYTES);
        for (int file = 100; file < 140; file++) {
            assertThat(write(file, TAGS)).isEqualTo(WriteOutcome.STORED);
        }
        assertThat(count(100, 40)).isEqualTo(40);
    }

    @Test
    void footersOutliveData()
    {
        write(store, key(1, 0), new PageTags(TAGS.scope(), StorageClass.FOOTER), store.epoch());
        store.resize(8 * PAGE_BYTES);
        for (int file = 2; file < 60; file++) {
            write(file, TAGS);
        }
        assertThat(count(2, 58)).isLessThanOrEqualTo(8);
        assertThat(isThere(1)).isTrue();
    }

    @Test
    void closedStoreIsNotControlled()
    {
        store.close();
        store.invalidate(Scope.NONE);
        store.invalidateFile(key(1, 0));
        setQuota(TABLE, 1);
        removeQuota(TABLE);
        store.resize(6 * PAGE_BYTES);
        assertThat(write(1, TAGS)).isEqualTo(WriteOutcome.DECLINED);
    }
}
