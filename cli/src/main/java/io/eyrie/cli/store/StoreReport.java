// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.eyrie.cache.device.DirectoryOwner;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.inspection.StoreInspection;
import io.eyrie.cache.inspection.StoredPage;
import io.eyrie.cache.journal.Recovery;
import io.eyrie.cache.segment.StoredSegment;
import io.eyrie.cache.store.StorageClass;
import io.eyrie.cli.console.TextTable;
import io.eyrie.cli.console.Words;
import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The contents of a cache directory; the JSON output is this record.
 *
 * @param owner the last owner of the directory, {@code ownerState} whether that process runs
 * @param deadPages invalidated pages whose space is not freed yet; included in no other number
 * @param freeBytes free bytes on the disk
 * @param strayFiles segment files that the journal does not name
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record StoreReport(
        String directory,
        DirectoryOwner.State ownerState,
        String owner,
        boolean encrypted,
        int pageSizeBytes,
        int granuleSizeBytes,
        long freeBytes,
        long deadPages,
        int segments,
        long segmentFileBytes,
        int missingFiles,
        int strayFiles,
        JournalReport journal,
        GroupReport all,
        List<GroupReport> tables,
        List<GroupReport> storageClasses)
{
    private static final int ROWS_SHOWN = 100;

    /** The state of the journal. {@code lastWrite} is in ISO 8601. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record JournalReport(
            int files,
            long bytes,
            @Nullable String lastWrite,
            boolean whole,
            long snapshotRecords,
            long logRecords,
            int tornTails,
            int damages,
            int incompatibleDrops,
            int keyDrops)
    {
        static JournalReport of(StoreInspection store)
        {
            Recovery found = store.recovery();
            OptionalLong written = store.journalWrittenMillis();
            return new JournalReport(
                    store.journalFiles(),
                    store.journalBytes(),
                    written.isEmpty() ? null : Instant.ofEpochMilli(written.getAsLong()).toString(),
                    found.whole(),
                    found.snapshotRecords(),
                    found.logRecords(),
                    found.tornTails(),
                    found.damages(),
                    found.incompatibleDrops(),
                    found.keyDrops());
        }

        String text()
        {
            if (files == 0) {
                return "none yet";
            }
            return Words.count(files, "file") + ", " + Words.size(bytes) + ", last written " + lastWrite + ", " + state(whole, damages,
                    incompatibleDrops, keyDrops)
                    + (tornTails > 0 ? "; its end is being written, or was cut off by a crash, which loses nothing else" : "");
        }

        /** Describes the integrity of a journal. */
        static String state(boolean whole, int damages, int incompatibleDrops, int keyDrops)
        {
            return whole
                    ? "intact"
                    : "not intact: " + Words.count(damages, "damaged part") + ", " + Words.count(incompatibleDrops, "file") + " of another version, "
                            + Words.count(keyDrops, "file") + " of another key";
        }
    }

    /**
     * A group of pages.
     *
     * @param bytes cached bytes of these pages, {@code diskBytes} the space that they occupy
     * @param segments number of segments that contain some of them
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record GroupReport(
            String name,
            @Nullable String catalog,
            @Nullable String schema,
            @Nullable String table,
            @Nullable String partition,
            long pages,
            long bytes,
            long diskBytes,
            long segments)
    {}

    private static final class Group
    {
        private final BitSet segments = new BitSet();
        private long pages;
        private long bytes;
        private long diskBytes;

        void add(StoredPage page)
        {
            segments.set(page.segment());
            pages++;
            bytes += page.cachedBytes();
            diskBytes += page.slotBytes();
        }

        GroupReport report(String name)
        {
            return new GroupReport(name, null, null, null, null, pages, bytes, diskBytes, segments.cardinality());
        }

        GroupReport report(Scope scope, boolean partitions)
        {
            String name = Words.table(scope) + (scope.partition().isEmpty() ? "" : " " + Words.plain(scope.partition()));
            return new GroupReport(
                    name,
                    scope.catalog(),
                    scope.schema(),
                    scope.table(),
                    partitions ? scope.partition() : null,
                    pages,
                    bytes,
                    diskBytes,
                    segments.cardinality());
        }
    }

    static StoreReport of(StoreInspection store, DirectoryOwner owner, boolean partitions)
    {
        Map<Scope, Group> tables = new HashMap<>();
        Map<StorageClass, Group> classes = new EnumMap<>(StorageClass.class);
        Group all = new Group();
        store.forEachPage(page -> {
            Scope scope = page.tags().scope();
            Scope shown = new Scope(scope.catalog(), scope.schema(), scope.table(), partitions ? scope.partition() : "");
            tables.computeIfAbsent(shown, unused -> new Group()).add(page);
            classes.computeIfAbsent(page.tags().storageClass(), unused -> new Group()).add(page);
            all.add(page);
        });
        Comparator<GroupReport> largestFirst = Comparator.comparingLong(GroupReport::bytes).reversed().thenComparing(GroupReport::name);
        List<StoredSegment> segments = store.segments();
        return new StoreReport(
                store.base().toString(),
                owner.state(),
                owner.words(),
                store.isEncrypted(),
                store.pageSizeBytes(),
                store.granuleSizeBytes(),
                store.usableBytes(),
                store.deadPages(),
                segments.size(),
                segments.stream().mapToLong(segment -> segment.fileBytes().orElse(0)).sum(),
                (int) segments.stream().filter(segment -> segment.fileBytes().isEmpty()).count(),
                store.strays().size(),
                JournalReport.of(store),
                all.report("all"),
                tables.entrySet().stream().map(entry -> entry.getValue().report(entry.getKey(), partitions)).sorted(largestFirst).toList(),
                classes.entrySet().stream().map(entry -> entry.getValue().report(entry.getKey().name())).sorted(largestFirst).toList());
    }

    String text()
    {
        List<String> lines = new ArrayList<>(List.of(
                directory,
                "  owner     " + owner(ownerState, owner),
                "  pages     " + Words.number(all.pages) + " with " + Words.size(all.bytes) + " in " + Words.size(all.diskBytes) + " of space"
                        + (deadPages > 0 ? ", and " + Words.number(deadPages) + " invalidated, whose space is not free yet" : ""),
                "  segments  " + Words.number(segments) + ", files of " + Words.size(segmentFileBytes)
                        + (missingFiles > 0 ? ", " + Words.count(missingFiles, "file") + " missing" : "")
                        + (strayFiles > 0 ? ", and " + Words.count(strayFiles, "file") + " not in the journal, which the next start deletes" : ""),
                "  disk      " + Words.size(freeBytes) + " free",
                "  journal   " + journal.text(),
                "  format    pages of " + Words.size(pageSizeBytes) + ", granules of " + Words.size(granuleSizeBytes)
                        + (encrypted ? ", encrypted" : ", not encrypted")));
        if (all.pages > 0) {
            lines.addAll(List.of("", table("table", tables), "", table("storage class", storageClasses)));
        }
        return Words.lines(lines.stream());
    }

    /** Describes the owner of a directory. */
    static String owner(DirectoryOwner.State state, String words)
    {
        return switch (state) {
            case NOBODY -> "none yet";
            case RUNNING -> Words.plain(words) + ", which is running";
            case ENDED -> Words.plain(words) + ", which has ended";
            case UNKNOWN -> Words.plain(words) + ", whose state is unknown on this host";
        };
    }

    private String table(String title, List<GroupReport> reports)
    {
        TextTable table = new TextTable(1, title, "pages", "bytes", "share", "on disk", "segments");
        reports.stream().limit(ROWS_SHOWN).forEach(report -> table.row(
                report.name,
                Words.number(report.pages),
                Words.size(report.bytes),
                Words.percent(report.bytes, all.bytes),
                Words.size(report.diskBytes),
                Words.number(report.segments)));
        return Words.lines(
                Stream.concat(
                        Stream.of(table.render()),
                        reports.size() > ROWS_SHOWN ? Stream.of("and " + (reports.size() - ROWS_SHOWN) + " more: --json writes all") : Stream.of()));
    }
}
