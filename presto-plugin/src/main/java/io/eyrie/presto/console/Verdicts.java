// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import com.google.inject.Inject;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.store.DiskStatus;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.MissReason;
import io.eyrie.presto.ledger.Tally;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/** Judges each layer of this node in one sentence. Thread-safe. */
final class Verdicts
{
    private static final double WORKS_FROM = 0.9;

    private final LayerStatuses layers;
    private final Ledger ledger;
    private final Optional<PageCache> pages;

    /**
     * A layer's verdict.
     *
     * @param tally null if the layer is off
     * @param savedBytes null if the layer is off, or saves no bytes of files
     */
    record Verdict(CacheLayer layer, @Nullable Tally tally, @Nullable Long savedBytes, String text)
    {
        @Nullable
        Double hitRatio()
        {
            long lookups = tally == null ? 0 : tally.hits() + tally.misses();
            return tally == null || lookups == 0 ? null : Double.valueOf((double) tally.hits() / lookups);
        }
    }

    @Inject
    Verdicts(LayerStatuses layers, Ledger ledger, Optional<PageCache> pages)
    {
        this.layers = requireNonNull(layers, "layers is null");
        this.ledger = requireNonNull(ledger, "ledger is null");
        this.pages = requireNonNull(pages, "pages is null");
    }

    /** Returns a verdict for each layer, in the order in which queries pass them. */
    List<Verdict> all()
    {
        Map<CacheLayer, LayerStatus> statuses = layers.all().stream().collect(Collectors.toMap(LayerStatus::layer, Function.identity()));
        return Stream.of(CacheLayer.values()).map(layer -> {
            LayerStatus status = statuses.get(layer);
            return status == null
                    ? new Verdict(layer, null, null, "off: " + switchOf(layer))
                    : new Verdict(layer, ledger.layer(layer), status.savedBytes(), text(layer, ledger.layer(layer)));
        }).toList();
    }

    private static String switchOf(CacheLayer layer)
    {
        return switch (layer) {
            case METASTORE -> "set hive.metastore-cache-ttl";
            case FRAGMENT -> "set cache.enabled=true and fragment-result-cache.enabled=true";
            case FILE_STATISTICS -> "set cache.enabled=true, fragment-result-cache.enabled=true and cache.file-statistics=budgeted";
            case FILE_LIST, FOOTER, DATA -> "set cache.enabled=true";
        };
    }

    private String text(CacheLayer layer, Tally tally)
    {
        List<DiskStatus> failed = layer == CacheLayer.DATA
                ? pages.map(PageCache::disks).orElse(List.of()).stream().filter(disk -> disk.health() != DiskStatus.Health.SERVING).toList()
                : List.of();
        if (!failed.isEmpty()) {
            return "degraded: " + failed.stream().map(disk -> disk.directory() + " is " + Columns.label(disk.health())).collect(Collectors.joining(
                    ", ")) + ", and its pages are read from the store";
        }
        long lookups = tally.hits() + tally.misses();
        if (lookups == 0) {
            return "no lookups on this node since it started";
        }
        double ratio = (double) tally.hits() / lookups;
        String hits = String.format(Locale.ROOT, "%.0f %% of %,d lookups hit", Math.floor(100 * ratio), lookups);
        if (ratio >= WORKS_FROM) {
            return "works: " + hits;
        }
        Optional<MissReason> reason = tally.mostFrequentReason();
        return hits + reason.map(Verdicts::because).orElse("");
    }

    private static String because(MissReason reason)
    {
        return "; the largest part of the rest " + reason.meaning() + " (" + reason.label() + ")" + (reason.remedy().isEmpty()
                ? ""
                : ": " + reason.remedy());
    }
}
