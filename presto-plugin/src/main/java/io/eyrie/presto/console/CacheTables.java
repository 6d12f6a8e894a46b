// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import com.facebook.presto.common.type.TypeManager;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.SystemTable;
import io.airlift.units.DataSize;
import io.eyrie.cache.admission.AdmissionStats;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.store.DiskStatus;
import io.eyrie.cache.store.ScopeUsage;
import io.eyrie.footer.FooterKind;
import io.eyrie.footer.FooterStats;
import io.eyrie.presto.control.Control;
import io.eyrie.presto.control.ControlState;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.Tally;
import org.jspecify.annotations.Nullable;

import javax.inject.Inject;

import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/** The tables of the schema {@code cache}. Each node returns its own rows, which cover the time since its process began. */
public final class CacheTables
{
    private static final double NANOS_PER_MILLI = 1e6;
    private static final String REASONS = "number of misses by reason: why nothing was found, or why what was loaded instead is not cached";

    private final String node;
    private final TypeManager types;
    private final Optional<PageCache> pages;
    private final Ledger ledger;
    private final LayerStatuses layers;
    private final Settings settings;
    private final Control control;

    private record LayerRow(LayerStatus status, Tally tally)
    {}

    private record FooterRow(FooterKind kind, FooterStats stats)
    {}

    private record TableRow(Scope scope, CacheLayer layer, @Nullable Tally tally, ScopeUsage held)
    {}

    private record DiskRow(DiskStatus disk, AdmissionStats admissions)
    {}

    /**
     * @param time when a command was given, or ends
     * @param bytes of a quota or capacity
     */
    private record ControlRow(String kind, ControlState.Target target, @Nullable Instant time, @Nullable Long bytes)
    {
        static ControlRow at(String kind, ControlState.Target target, long millis)
        {
            return new ControlRow(kind, target, Instant.ofEpochMilli(millis), null);
        }

        static ControlRow of(String kind, ControlState.Target target, @Nullable Long bytes)
        {
            return new ControlRow(kind, target, null, bytes);
        }

        @Nullable
        String value()
        {
            if (time != null) {
                return time.toString();
            }
            return bytes == null ? null : DataSize.succinctBytes(bytes).toString();
        }
    }

    private record QueryRow(String queryId, Ledger.Query query, CacheLayer layer, Tally tally)
    {}

    @Inject
    public CacheTables(
            NodeManager nodes,
            TypeManager types,
            Optional<PageCache> pages,
            Ledger ledger,
            LayerStatuses layers,
            Settings settings,
            Control control)
    {
        this.control = requireNonNull(control, "control is null");
        this.node = nodes.getCurrentNode().getNodeIdentifier();
        this.types = requireNonNull(types, "types is null");
        this.pages = requireNonNull(pages, "pages is null");
        this.ledger = requireNonNull(ledger, "ledger is null");
        this.layers = requireNonNull(layers, "layers is null");
        this.settings = requireNonNull(settings, "settings is null");
    }

    /** Returns all tables. */
    public Set<SystemTable> all()
    {
        return Set.of(layers(), footers(), tables(), files(), disks(), queries(), configuration(), control());
    }

    private <R> Columns<R> columns()
    {
        return Columns.of(node);
    }

    /** Adds the columns of a tally: hits, misses and their reasons, and the cost of loads. */
    private <R> Columns<R> tallied(Columns<R> columns, Function<R, @Nullable Tally> of)
    {
        return columns
                .number("hits", "lookups served from the cache", known(of, Tally::hits))
                .number("hit_bytes", "bytes served from the cache", known(of, Tally::hitBytes))
                .number("misses", "lookups not served from the cache", known(of, Tally::misses))
                .number("miss_bytes", "bytes not served from the cache", known(of, Tally::missBytes))
                .counts(types, "misses_by_reason", REASONS, known(of, Tally::reasons))
                .number("loads", "requests to the source, or results computed", known(of, Tally::loads))
                .number("load_bytes", "bytes read by these loads; 0 if unknown", known(of, Tally::loadBytes))
                .ratio("load_millis", "total time of these loads", known(of, tally -> tally.loadNanos() / NANOS_PER_MILLI));
    }

    private static <R, V> Function<R, @Nullable V> known(Function<R, @Nullable Tally> of, Function<Tally, V> value)
    {
        return row -> {
            Tally tally = of.apply(row);
            return tally == null ? null : value.apply(tally);
        };
    }

    private SystemTable layers()
    {
        Columns<LayerRow> columns = this.<LayerRow>columns()
                .text("layer", "metastore, file_list, file_statistics, fragment, footer or data", row -> row.status().layer().label())
                .number("lookups", "hits and misses", row -> row.tally().hits() + row.tally().misses());
        return new NodeTable<>("layers", tallied(columns, LayerRow::tally)
                .number("failures", "failures of disks, of reading stored data, and of loads", row -> row.status().failures())
                .number("entries", "pages on disks, otherwise entries in memory", row -> row.status().entries())
                .number("current_bytes", "size of the entries: whole disk blocks, otherwise estimated memory", row -> row.status().currentBytes())
                .number("capacity_bytes", "maximum of current_bytes; on disks, of all data stored there", row -> row.status().capacityBytes())
                .number("evictions", "entries dropped to make room", row -> row.status().evictions())
                .number("written_bytes", "bytes written to the cache", row -> row.status().writtenBytes()),
                rows -> layers.all().forEach(status -> rows.accept(new LayerRow(status, ledger.layer(status.layer())))));
    }

    private SystemTable footers()
    {
        Columns<FooterRow> columns = this.<FooterRow>columns()
                .text("kind", "kind of file metadata in memory", row -> Columns.label(row.kind()))
                .number("lookups", "", row -> row.stats().lookups())
                .number("hits", "lookups served from memory; what memory does not serve may be served by the disks", row -> row.stats().hits())
                .number("load_failures", "", row -> row.stats().loadFailures())
                .number("entries", "", row -> row.stats().currentEntries())
                .number("current_bytes", "estimated memory", row -> row.stats().currentBytes())
                .number("capacity_bytes", "maximum of current_bytes", row -> row.stats().capacityBytes())
                .number("evictions", "entries dropped to make room", row -> row.stats().evictions());
        return new NodeTable<>("footers", columns, rows -> layers.footerKinds().forEach((kind, stats) -> rows.accept(new FooterRow(kind, stats))));
    }

    private SystemTable tables()
    {
        Columns<TableRow> columns = this.<TableRow>columns()
                .text("schema_name", "", row -> row.scope().schema())
                .text("table_name", "", row -> row.scope().table())
                .text("partition_name", "empty for a table without partitions", row -> row.scope().partition())
                .text("layer", "metastore, file_list, file_statistics, fragment, footer or data", row -> row.layer().label())
                .number("entries", "pages on the disks, otherwise entries in memory", row -> row.held().pages())
                .number("current_bytes", "size of the entries: whole disk blocks, otherwise estimated memory", row -> row.held().bytes());
        return new NodeTable<>("tables", tallied(columns, TableRow::tally)
                .ratio("hit_ratio", "hits / (hits + misses), 0 to 1; by bytes if they are known", row -> hitRatio(row.tally())), this::tableRows);
    }

    private void tableRows(Consumer<TableRow> rows)
    {
        Map<Scope, Map<CacheLayer, ScopeUsage>> held = layers.contents();
        Map<Scope, ConcurrentMap<CacheLayer, Tally>> tallies = ledger.scopes();
        Set<Scope> scopes = new HashSet<>(held.keySet());
        scopes.addAll(tallies.keySet());
        for (Scope scope : scopes) {
            for (CacheLayer layer : CacheLayer.values()) {
                ScopeUsage ofLayer = held.getOrDefault(scope, Map.of()).getOrDefault(layer, ScopeUsage.NOTHING);
                ConcurrentMap<CacheLayer, Tally> ofScope = tallies.get(scope);
                Tally tally = ofScope == null ? null : ofScope.get(layer);
                if (ofLayer.pages() > 0 || (tally != null && tally.hits() + tally.misses() > 0)) {
                    rows.accept(new TableRow(scope, layer, tally, ofLayer));
                }
            }
        }
    }

    private static @Nullable Double hitRatio(@Nullable Tally tally)
    {
        if (tally == null) {
            return null;
        }
        long bytes = tally.hitBytes() + tally.missBytes();
        long count = tally.hits() + tally.misses();
        if (bytes > 0 && tally.missBytes() > 0) {
            return (double) tally.hitBytes() / bytes;
        }
        return count == 0 ? null : Double.valueOf((double) tally.hits() / count);
    }

    private SystemTable files()
    {
        Columns<Ledger.SeenFile> columns = this.<Ledger.SeenFile>columns()
                .text("path", "", file -> file.version().path())
                .text("schema_name", "", file -> file.scope().schema())
                .text("table_name", "", file -> file.scope().table())
                .text("partition_name", "empty for a table without partitions", file -> file.scope().partition())
                .text("principal", "user that read the file, if the store has rights per user; otherwise empty", file -> file.version().store()
                        .principal())
                .number("length_bytes", "", file -> file.version().lengthBytes())
                .time("modified", "modification time reported by the store", file -> Instant.ofEpochMilli(file.version().modifiedMillis()))
                .text("etag", "", file -> file.version().etag().orElse(null))
                .number("cached_bytes", "approximate bytes on the disks", file -> pages.map(cache -> cache.cachedBytes(file.version())).orElse(0L));
        return new NodeTable<>("files", tallied(columns, Ledger.SeenFile::tally), rows -> ledger.files().forEach(rows));
    }

    private SystemTable disks()
    {
        Columns<DiskRow> columns = this.<DiskRow>columns()
                .text("directory", "", row -> row.disk().directory().toString())
                .text("health", "opening, serving, out_of_service or closed", row -> Columns.label(row.disk().health()))
                .number("pages", "", row -> row.disk().pages())
                .number("current_bytes", "whole disk blocks used by pages", row -> row.disk().currentBytes())
                .number("capacity_bytes", "maximum of current_bytes", row -> row.disk().capacityBytes())
                .number("usable_bytes", "usable space; null if unknown", row -> row.disk().usableBytes() < 0 ? null : row.disk().usableBytes())
                .number("day_written_bytes", "bytes that this process wrote to it in the last 24 hours", row -> row.disk()
                        .dayWrittenBytes())
                .number("day_admitted_bytes",
                        "bytes admitted to all disks in the last 24 hours; null unless cache.admission.daily-write-budget is set",
                        row -> orNull(row.admissions().dayBytes()))
                .number("day_budget_bytes", "cache.admission.daily-write-budget, for all disks", row -> orNull(row.admissions().dayLimitBytes()))
                .number("outages", "times that it was taken out of service", row -> row.disk().outages())
                .number("timeouts", "reads that timed out waiting for it", row -> row.disk().timeouts());
        return new NodeTable<>("disks", columns, rows -> pages.ifPresent(cache -> cache.disks().forEach(disk -> rows.accept(new DiskRow(disk, cache
                .admissions())))));
    }

    private static @Nullable Long orNull(OptionalLong value)
    {
        return value.isPresent() ? value.getAsLong() : null;
    }

    private SystemTable queries()
    {
        Columns<QueryRow> columns = this.<QueryRow>columns()
                .text("query_id", "", QueryRow::queryId)
                .text("user", "user of the query; empty if it is not known", row -> row.query().user())
                .time("began", "time of its first use of this node's caches", row -> row.query().began())
                .text("layer", "metastore, file_list, file_statistics, fragment, footer or data", row -> row.layer().label());
        return new NodeTable<>("queries", tallied(columns, QueryRow::tally), rows -> ledger.forEachQuery((id, query) -> query.layers()
                .forEach((layer, tally) -> {
                    if (tally.hits() + tally.misses() + tally.loads() > 0) {
                        rows.accept(new QueryRow(id, query, layer, tally));
                    }
                })));
    }

    private SystemTable control()
    {
        Columns<ControlRow> columns = this.<ControlRow>columns()
                .text("kind", "epoch, invalidation, pin, allow, deny, quota, capacity or trace_until", ControlRow::kind)
                .text("schema_name", "", row -> row.target().schema())
                .text("table_name", "", row -> row.target().table())
                .text("partition_name", "", row -> row.target().partition())
                .text("value", "time or bytes as a text", ControlRow::value)
                .time("time", "epoch, invalidation: when issued; trace_until: end", ControlRow::time)
                .number("bytes", "quota, capacity", ControlRow::bytes);
        return new NodeTable<>("control", columns, rows -> control.inEffect().ifPresent(state -> controlRows(state, rows)));
    }

    private static void controlRows(ControlState state, Consumer<ControlRow> rows)
    {
        ControlState.Target all = new ControlState.Target("", "", "");
        rows.accept(ControlRow.at("epoch", all, state.epoch()));
        state.invalidations().forEach(invalidation -> rows.accept(ControlRow.at("invalidation", invalidation.target(), invalidation.epoch())));
        state.pins().forEach(pin -> rows.accept(ControlRow.of("pin", pin, null)));
        state.rules().forEach(rule -> rows.accept(ControlRow.of(
                rule.allowed() ? "allow" : "deny", new ControlState.Target(rule.schema(), rule.table(), ""), null)));
        state.quotas().forEach(quota -> rows.accept(ControlRow.of("quota", quota.target(), quota.bytes())));
        if (state.traceUntilMillis() > 0) {
            rows.accept(ControlRow.at("trace_until", all, state.traceUntilMillis()));
        }
        if (state.capacityBytes() != null) {
            rows.accept(ControlRow.of("capacity", all, state.capacityBytes()));
        }
    }

    private SystemTable configuration()
    {
        Columns<Settings.Setting> columns = this.<Settings.Setting>columns()
                .text("property", "", Settings.Setting::property)
                .text("value", "value in effect; secrets are hidden", Settings.Setting::value)
                .text("default_value", "", Settings.Setting::defaultValue)
                .text("source", "file, switch (cache.enabled), derived (from the heap, the disks or other settings) or default",
                        Settings.Setting::source)
                .text("effect", "in effect, scaled down (to fit cache.max-memory) or no effect", Settings.Setting::effect)
                .text("note", "why the value differs from the one that is set or written, or has no effect", Settings.Setting::note)
                .text("description", "", Settings.Setting::description);
        return new NodeTable<>("configuration", columns, rows -> settings.all().forEach(rows));
    }
}
