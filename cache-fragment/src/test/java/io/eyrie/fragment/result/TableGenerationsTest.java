// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import io.eyrie.cache.PageCaches;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageCache;
import io.eyrie.fragment.InterruptedBlobs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the generations of tables with a real store. */
final class TableGenerationsTest
{
    private static final Scope TABLE = new Scope("hive", "web", "countries", "");
    private static final Scope OTHER = new Scope("hive", "web", "users", "");
    private static final List<Scope> PARTS = List.of(
            TABLE, new Scope("hive", "web", "countries", "ds=1"), new Scope("hive", "web", "", ""), new Scope("hive", "", "", ""), Scope.NONE);

    private final PageCacheConfig config;
    private PageCache cache;
    private TableGenerations generations;

    TableGenerationsTest(@TempDir Path directory)
    {
        config = PageCacheConfig.builder().baseDirectories(List.of(directory)).capacityBytes(64 << 20).minFreeSpaceBytes(0).build();
        cache = PageCaches.open(config);
        generations = new TableGenerations(blobs());
    }

    @AfterEach
    void close()
    {
        cache.close();
    }

    @Test
    void generationOutlivesARestart()
    {
        UUID generation = generations.of(TABLE);
        assertThat(generations.of(TABLE)).isEqualTo(generation);
        assertThat(generations.of(OTHER)).isNotEqualTo(generation);
        restart();
        assertThat(generations.of(TABLE)).isEqualTo(generation);
    }

    @Test
    void invalidationReplacesTheGenerationInMemoryAndOnTheDisk()
    {
        for (Scope scope : PARTS) {
            UUID before = generations.of(TABLE);
            invalidate(scope);
            UUID after = generations.of(TABLE);
            assertThat(after).as("%s", scope).isNotEqualTo(before);
            restart();
            assertThat(generations.of(TABLE)).as("%s", scope).isEqualTo(after);
            // the table was not joined since the restart
            restart();
            invalidate(scope);
            assertThat(generations.of(TABLE)).as("%s", scope).isNotEqualTo(after);
        }
    }

    @Test
    void otherTablesKeepTheirGenerations()
    {
        UUID generation = generations.of(OTHER);
        invalidate(TABLE);
        invalidate(new Scope("hive", "web", "countries", "ds=1"));
        assertThat(generations.of(OTHER)).isEqualTo(generation);
    }

    @Test
    void generationThatIsInvalidatedWhileTheDiskReadsItIsReplaced()
    {
        for (Scope scope : PARTS) {
            generations.of(TABLE);
            restart();
            InterruptedBlobs interrupted = new InterruptedBlobs(blobs());
            generations = new TableGenerations(interrupted);
            interrupted.afterGet = () -> invalidate(scope);
            UUID before = generations.of(TABLE);
            UUID after = generations.of(TABLE);
            assertThat(after).as("%s", scope).isNotEqualTo(before);
            restart();
            assertThat(generations.of(TABLE)).as("%s", scope).isEqualTo(after);
        }
    }

    @Test
    void generationThatIsCreatedDuringAnInvalidationIsReplaced()
    {
        // an invalidation drops the store first, and the generations last
        cache.control().invalidate(TABLE);
        UUID during = generations.of(TABLE);
        generations.invalidate(TABLE);
        assertThat(generations.of(TABLE)).isNotEqualTo(during);
    }

    private void invalidate(Scope scope)
    {
        cache.control().invalidate(scope);
        generations.invalidate(scope);
    }

    private BlobCache blobs()
    {
        return cache.blobs().orElseThrow();
    }

    private void restart()
    {
        cache.close();
        cache = PageCaches.open(config);
        generations = new TableGenerations(blobs());
    }
}
