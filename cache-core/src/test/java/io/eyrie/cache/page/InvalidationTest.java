// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.TestingPageStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import static io.eyrie.cache.page.Eventually.eventually;
import static io.eyrie.cache.page.Readers.awaitUninterrupted;
import static io.eyrie.cache.page.Readers.get;
import static io.eyrie.cache.page.Readers.startRead;
import static io.eyrie.cache.page.TestingFiles.PAGE;
import static io.eyrie.cache.page.TestingFiles.SCOPE;
import static io.eyrie.cache.page.TestingFiles.awaitWrites;
import static io.eyrie.cache.page.TestingFiles.checkSums;
import static io.eyrie.cache.page.TestingFiles.config;
import static io.eyrie.cache.page.TestingFiles.context;
import static io.eyrie.cache.page.TestingFiles.pages;
import static io.eyrie.cache.page.TestingFiles.readAndCheck;
import static io.eyrie.cache.page.TestingFiles.version;
import static io.eyrie.cache.page.TestingSource.randomBytes;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests invalidations during reads, at each point of a load. */
final class InvalidationTest
{
    private static final byte[] CONTENT = randomBytes(1, 4 * PAGE);

    private final TestingPageStore store = new TestingPageStore();
    private final ReadThroughPageCache cache = new ReadThroughPageCache(store, config().build());
    private final PageCacheControl control = cache.control();
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void checkAndClose()
    {
        gate.countDown();
        checkSums(cache.stats());
        cache.close();
    }

    private TestingSource gated()
    {
        return new TestingSource(CONTENT).withHook((position, length) -> pause());
    }

    private void pause()
    {
        reached.countDown();
        awaitUninterrupted(gate);
    }

    private CachedFile open(int version, TestingSource source)
    {
        return cache.open(version(CONTENT, version), source, context());
    }

    @Test
    void invalidatedFileIsFetchedAgainAndNoOther()
            throws IOException
    {
        TestingSource source = new TestingSource(CONTENT);
        TestingSource otherSource = new TestingSource(CONTENT);
        CachedFile file = open(1, source);
        CachedFile other = open(2, otherSource);
        readAndCheck(file, CONTENT, 0, PAGE);
        readAndCheck(other, CONTENT, 0, PAGE);
        awaitWrites(cache, 2);
        control.invalidate(version(CONTENT, 1));
        readAndCheck(file, CONTENT, 0, PAGE);
        readAndCheck(other, CONTENT, 0, PAGE);
        assertThat(source.takeRanges()).containsExactly(pages(0, 1), pages(0, 1));
        assertThat(otherSource.takeRanges()).containsExactly(pages(0, 1));
    }

    @Test
    void loadThatIsInvalidatedOnItsWayReachesItsReadersAndIsNotPublished()
            throws Exception
    {
        FutureTask<Void> first = startRead(open(1, gated()), CONTENT, 0, PAGE);
        awaitUninterrupted(reached);
        FutureTask<Void> joined = startRead(open(1, gated()), CONTENT, 0, PAGE);
        eventually("the second waits", () -> cache.stats().fetch().coalescedWaits() == 1);
        control.invalidate(version(CONTENT, 1));
        // a reader that begins after the invalidation does not join
        TestingSource later = new TestingSource(CONTENT);
        readAndCheck(open(1, later), CONTENT, 0, PAGE);
        assertThat(later.takeRanges()).containsExactly(pages(0, 1));
        awaitWrites(cache, 1);
        control.invalidate(version(CONTENT, 1));
        gate.countDown();
        get(first);
        get(joined);
        eventually("the load is refused", () -> cache.stats().write().staleWrites() == 1);
        assertThat(store.tags()).isEmpty();
    }

    @Test
    void loadThatIsInvalidatedBeforeItsWriteIsNotPublished()
            throws Exception
    {
        store.setWriteFault(key -> {
            pause();
            return Optional.empty();
        });
        readAndCheck(open(1, new TestingSource(CONTENT)), CONTENT, 0, PAGE);
        awaitUninterrupted(reached);
        control.invalidate(new Scope("hive", "web", "", ""));
        // data that waits in memory for its write is no longer served
        TestingSource later = new TestingSource(CONTENT);
        readAndCheck(open(1, later), CONTENT, 0, PAGE);
        assertThat(later.takeRanges()).containsExactly(pages(0, 1));
        gate.countDown();
        awaitWrites(cache, 2);
        assertThat(cache.stats().write().staleWrites()).isEqualTo(1);
        assertThat(cache.stats().write().writes()).isEqualTo(1);
    }

    @Test
    void otherScopeIsLeftAlone()
            throws Exception
    {
        FutureTask<Void> first = startRead(open(1, gated()), CONTENT, 0, PAGE);
        awaitUninterrupted(reached);
        control.invalidate(new Scope("hive", "web", "views", ""));
        FutureTask<Void> joined = startRead(open(1, gated()), CONTENT, 0, PAGE);
        eventually("the second waits", () -> cache.stats().fetch().coalescedWaits() == 1);
        gate.countDown();
        get(first);
        get(joined);
        awaitWrites(cache, 1);
        assertThat(cache.stats().write().writes()).isEqualTo(1);
    }

    @Test
    void quotaAndCapacityReachTheStore()
            throws IOException
    {
        control.setQuotas(SCOPE::equals, Map.of(SCOPE, 2L * PAGE));
        assertThat(control.quotas()).isEqualTo(Map.of(SCOPE, 2L * PAGE));
        CachedFile file = open(1, new TestingSource(CONTENT));
        readAndCheck(file, CONTENT, 0, 4 * PAGE);
        awaitWrites(cache, 4);
        assertThat(cache.stats().store().currentBytes()).isEqualTo(2 * PAGE);
        control.setQuotas(SCOPE::equals, Map.of());
        assertThat(control.quotas()).isEmpty();
        control.resize(PAGE);
        assertThat(cache.stats().store().currentBytes()).isEqualTo(PAGE);
        assertThat(cache.stats().store().capacityBytes()).isEqualTo(PAGE);
    }
}
