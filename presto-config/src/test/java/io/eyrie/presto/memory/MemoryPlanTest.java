// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.memory;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.presto.config.AddedLines;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.Guide;
import io.eyrie.presto.config.IndexMemory;
import io.eyrie.presto.config.Machine;
import io.eyrie.presto.memory.MemoryPlan.Share;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MemoryPlanTest
{
    private static final long MEGABYTE = 1 << 20;
    private static final long GIGABYTE = 1 << 30;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 16})
    void guideVerbatimStaysBelowTheBound(long heapGigabytes)
            throws IOException
    {
        long heap = heapGigabytes * GIGABYTE;
        MemoryPlan plan = MemoryPlan.of(new CatalogFile("hive", Guide.lines()), heap);

        assertThat(plan.boundBytes()).isEqualTo(heap / 100 * 15);
        assertThat(plan.shares()).extracting(Share::layer).containsExactlyInAnyOrder(MemoryLayer.values());
        assertThat(plan.totalBytes()).isLessThanOrEqualTo(plan.boundBytes());
        assertThat(plan.shares()).allSatisfy(share -> {
            assertThat(share.floorBytes()).isPositive();
            assertThat(share.bytes()).isBetween(share.floorBytes(), share.limitBytes());
        });
    }

    @Test
    void scaledLayersAreNamed()
            throws IOException
    {
        MemoryPlan plan = MemoryPlan.of(new CatalogFile("hive", Guide.lines()), 2 * GIGABYTE);

        assertThat(plan.scaled().orElseThrow()).contains("fetches 256MB to ", "page index 256MB to ", "write buffer 128MB to ", "ORC stripe streams ",
                "metadata ", "file lists ", "recordings of fragment results 256MB to ", "fragment results larger than ");
        PageCacheConfig pages = plan.shared(PageCacheConfig.builder().baseDirectories(List.of(Path.of("/d"))).build());
        pages.validate();
        assertThat(plan.maxBuildBytes()).as("a tenth of the heap, not the share of idle build sides").isEqualTo(2 * GIGABYTE / 10);
        assertThat(pages.fetchMemoryBytes()).isEqualTo(plan.bytes(MemoryLayer.FETCHES)).isLessThan(256 * MEGABYTE);
        assertThat(pages.writeBufferBytes()).isEqualTo(plan.bytes(MemoryLayer.WRITE_BUFFER)).isLessThan(128 * MEGABYTE);
        assertThat(pages.indexMemoryBytes()).isEqualTo(plan.bytes(MemoryLayer.PAGE_INDEX)).isLessThan(256 * MEGABYTE);
    }

    @Test
    void nothingIsScaledWhereThereIsRoom()
            throws IOException
    {
        MemoryPlan plan = MemoryPlan.of(new CatalogFile("hive", Guide.lines()), 64 * GIGABYTE);

        assertThat(plan.scaled()).isEmpty();
        assertThat(plan.bytes(MemoryLayer.FETCHES)).isEqualTo(256 * MEGABYTE);
        assertThat(plan.bytes(MemoryLayer.ORC_STRIPE_STREAMS)).isEqualTo(300 * MEGABYTE);
        assertThat(plan.bytes(MemoryLayer.PARQUET_INDEXES)).isEqualTo(50 * MEGABYTE);
        assertThat(plan.maxBuildBytes()).isEqualTo(256 * MEGABYTE);
        MemoryPlan uncached = MemoryPlan.of(new CatalogFile("hive", Map.of()), 2 * GIGABYTE);
        assertThat(uncached.maxBuildBytes()).as("joins that a coordinator with the cache plans").isEqualTo(2 * GIGABYTE / 10);
        assertThat(plan.bytes(MemoryLayer.METASTORE)).isEqualTo(plan.boundBytes() / 4);
    }

    @Test
    void floorsStandOnAHeapThatIsTooSmall()
            throws IOException
    {
        MemoryPlan plan = MemoryPlan.of(new CatalogFile("hive", Guide.lines()), 256 * MEGABYTE);

        assertThat(plan.shares()).allMatch(share -> share.bytes() == share.floorBytes());
        assertThat(plan.totalBytes()).isGreaterThan(plan.boundBytes());
    }

    @Test
    void whatLimitsAResult()
    {
        Map<String, String> lines = Map.of("cache.enabled", "true", "fragment-result-cache.enabled", "true");
        MemoryPlan large = MemoryPlan.of(catalog(lines), 64 * GIGABYTE);
        assertThat(large.resultLimit(MEGABYTE)).isEmpty();
        assertThat(large.resultLimit(100 * MEGABYTE)).hasValue("the smaller of 64MB and a quarter of cache.write-buffer");
        MemoryPlan small = MemoryPlan.of(catalog(Map.of("cache.enabled", "true", "fragment-result-cache.enabled", "true",
                "fragment-result-cache.max-in-flight-size", "8MB", "fragment-result-cache.max-single-pages-size", "8MB")), 64 * GIGABYTE);
        assertThat(small.resultLimit(9 * MEGABYTE)).hasValue("fragment-result-cache.max-in-flight-size");
    }

    @Test
    void layersThatAreOffTakeNothing()
    {
        assertThat(MemoryPlan.of(catalog(Map.of()), GIGABYTE).shares()).extracting(Share::layer).containsExactly(MemoryLayer.LEDGER);
        assertThat(MemoryPlan.of(catalog(Map.of("hive.metastore-cache-ttl", "2d")), GIGABYTE).shares())
                .extracting(Share::layer).containsExactlyInAnyOrder(MemoryLayer.METASTORE, MemoryLayer.LEDGER);
        assertThat(MemoryPlan.of(catalog(Map.of("cache.enabled", "true", "lake.orc.file-tail-cache-enabled", "false")), GIGABYTE).shares())
                .extracting(Share::layer).doesNotContain(MemoryLayer.ORC_FILE_TAILS, MemoryLayer.METASTORE, MemoryLayer.FRAGMENT_RESULTS)
                .contains(MemoryLayer.ORC_STRIPE_FOOTERS, MemoryLayer.PAGE_INDEX);
        assertThat(MemoryPlan.of(catalog(Map.of("cache.enabled", "true", "cache.type", "ALLUXIO_CLIENT", "fragment-result-cache.enabled", "true")),
                GIGABYTE).shares())
                .extracting(Share::layer).doesNotContain(MemoryLayer.PAGE_INDEX, MemoryLayer.FRAGMENT_RESULTS).contains(MemoryLayer.PARQUET_FOOTERS);
    }

    @Test
    void catalogsThatShareDirectoriesComeToTheSameSharesOfTheirPages()
            throws IOException
    {
        MemoryPlan all = MemoryPlan.of(new CatalogFile("hive", Guide.lines()), 2 * GIGABYTE);
        MemoryPlan pagesAlone = MemoryPlan.of(catalog(Map.of("cache.enabled", "true", "cache.max-cache-size", "1600GB")), 2 * GIGABYTE);

        for (MemoryLayer layer : List.of(MemoryLayer.PAGE_INDEX, MemoryLayer.FETCHES, MemoryLayer.WRITE_BUFFER)) {
            assertThat(all.bytes(layer)).isEqualTo(pagesAlone.bytes(layer));
        }
    }

    @Test
    void indexOfASmallCapacityLeavesItsRoomToOthers()
    {
        MemoryPlan small = MemoryPlan.of(catalog(Map.of("cache.enabled", "true", "cache.max-cache-size", "10GB")), 4 * GIGABYTE);
        MemoryPlan large = MemoryPlan.of(catalog(Map.of("cache.enabled", "true", "cache.max-cache-size", "1600GB")), 4 * GIGABYTE);

        assertThat(small.bytes(MemoryLayer.PAGE_INDEX)).isBetween(5 * MEGABYTE, 10 * MEGABYTE).isLessThan(large.bytes(MemoryLayer.PAGE_INDEX));
        assertThat(small.bytes(MemoryLayer.FETCHES)).isGreaterThan(large.bytes(MemoryLayer.FETCHES));
        assertThat(MemoryPlan.of(catalog(Map.of("cache.enabled", "true", "cache.max-cache-size", "10GB")), 6 * GIGABYTE))
                .satisfies(plan -> assertThat(plan.bytes(MemoryLayer.WRITE_BUFFER)).isEqualTo(128 * MEGABYTE))
                .satisfies(plan -> assertThat(plan.bytes(MemoryLayer.PAGE_INDEX)).isGreaterThan(50 * MEGABYTE));
    }

    @Test
    void lowLimitsAreNotRaised()
    {
        MemoryPlan plan = MemoryPlan.of(catalog(Map.of("cache.enabled", "true", "cache.write-buffer", "8MB", "lake.orc.file-tail-cache-size", "1kB")),
                2 * GIGABYTE);

        assertThat(plan.bytes(MemoryLayer.WRITE_BUFFER)).isEqualTo(8 * MEGABYTE);
        assertThat(plan.bytes(MemoryLayer.ORC_FILE_TAILS)).isEqualTo(1024);
    }

    @Test
    void longPagesHaveRoomToBeFetched()
    {
        Map<String, String> properties = Map.of("cache.enabled", "true", "cache.page-size", "16MB", "cache.base-directory", "/d");
        MemoryPlan plan = MemoryPlan.of(catalog(properties), GIGABYTE);

        assertThat(plan.bytes(MemoryLayer.FETCHES)).isGreaterThanOrEqualTo(64 * MEGABYTE);
        assertThat(plan.bytes(MemoryLayer.WRITE_BUFFER)).isGreaterThanOrEqualTo(32 * MEGABYTE);
    }

    @Test
    void boundOfTheOperator()
    {
        Map<String, String> properties = new HashMap<>(Map.of("cache.enabled", "true", "cache.max-memory", "500MB"));
        assertThat(MemoryPlan.of(catalog(properties), 2 * GIGABYTE).totalBytes()).isLessThanOrEqualTo(500 * MEGABYTE).isGreaterThan(490 * MEGABYTE);
        properties.put("cache.max-memory", "3GB");
        assertThatThrownBy(() -> MemoryPlan.of(catalog(properties), 2 * GIGABYTE)).isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("cache.max-memory is 3GB", "the heap's 2GB", "To fix: ");
    }

    @Test
    void defaultsOfASmallAndOfALargeWorker()
    {
        Map<String, String> lines = Map.of("cache.enabled", "true", "cache.base-directory", "/a,/b,/c,/d");
        CatalogFile small = AddedLines.complete(catalog(lines), new Machine(2, false, directories -> List.of(20 * GIGABYTE)));
        MemoryPlan ofSmall = MemoryPlan.of(small, 2 * GIGABYTE);
        assertThat(ofSmall.totalBytes()).isLessThanOrEqualTo(ofSmall.boundBytes());
        assertThat(ofSmall.shares()).extracting(Share::layer).contains(MemoryLayer.METASTORE, MemoryLayer.FRAGMENT_RESULTS,
                MemoryLayer.PARQUET_FOOTERS)
                .doesNotContain(MemoryLayer.FILE_LISTS);
        assertThat(ofSmall.shares()).allSatisfy(share -> assertThat(share.bytes()).isBetween(share.floorBytes(), share.limitBytes()));
        assertThat(ofSmall.bytes(MemoryLayer.PAGE_INDEX)).as("for 16 GB of short pages").isGreaterThan(IndexMemory.bytes(16 * GIGABYTE) / 2);

        CatalogFile large = AddedLines.complete(catalog(lines), new Machine(64, false, directories -> Collections.nCopies(4, 2048 * GIGABYTE)));
        MemoryPlan ofLarge = MemoryPlan.of(large, 200 * GIGABYTE);
        assertThat(ofLarge.scaled()).isEmpty();
        assertThat(ofLarge.bytes(MemoryLayer.PAGE_INDEX)).isGreaterThan(4 * GIGABYTE);
        assertThat(ofLarge.bytes(MemoryLayer.PARQUET_FOOTERS)).isEqualTo(GIGABYTE);
        assertThat(ofLarge.bytes(MemoryLayer.FRAGMENT_RESULTS)).isEqualTo(GIGABYTE / 2);
    }

    private static CatalogFile catalog(Map<String, String> properties)
    {
        return new CatalogFile("lake", properties);
    }
}
