// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.store;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.eyrie.cache.device.DirectoryOwner;
import io.eyrie.cache.inspection.Verification;
import io.eyrie.cli.console.TextTable;
import io.eyrie.cli.console.Words;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of reading all bytes of a directory; the JSON output is this record.
 *
 * @param bytes the bytes that were read
 * @param changedPages pages that an owner replaced meanwhile
 * @param journal describes the integrity of the journal
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record VerifyReport(
        String directory,
        DirectoryOwner.State ownerState,
        String owner,
        boolean good,
        long pages,
        long granules,
        long bytes,
        long changedPages,
        String journal,
        List<DamageReport> damages,
        List<BrokenFileReport> brokenFiles)
{
    private static final int ROWS_SHOWN = 40;

    /** A damaged page. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record DamageReport(String table, String partition, String file, long offsetBytes, int lengthBytes, int granules, String what)
    {}

    /** A segment file that does not match the journal. */
    record BrokenFileReport(String file, String what)
    {}

    static VerifyReport of(Path directory, DirectoryOwner owner, Verification found)
    {
        return new VerifyReport(
                directory.toString(),
                owner.state(),
                owner.words(),
                found.isGood(),
                found.pages(),
                found.granules(),
                found.bytes(),
                found.changedPages(),
                StoreReport.JournalReport.state(
                        found.journal().whole(),
                        found.journal().damages(),
                        found.journal().incompatibleDrops(),
                        found.journal().keyDrops()),
                found.damages()
                        .stream()
                        .map(damage -> new DamageReport(
                                Words.table(damage.scope()),
                                damage.scope().partition(),
                                damage.file().toString(),
                                damage.offsetBytes(),
                                damage.lengthBytes(),
                                damage.granules(),
                                damage.what()))
                        .toList(),
                found.brokenFiles().stream().map(broken -> new BrokenFileReport(broken.file().toString(), broken.what())).toList());
    }

    String text()
    {
        List<String> lines = new ArrayList<>();
        lines.add(directory + ": " + Words.count(pages, "page") + ", " + Words.count(granules, "granule") + ", " + Words.size(bytes) + " read; "
                + (good ? "no damage found" : Words.count(damages.size(), "page") + " damaged, journal " + journal));
        lines.add("  owner: " + StoreReport.owner(ownerState, owner));
        if (changedPages > 0) {
            lines.add("  " + Words.count(changedPages, "page") + " changed during the check");
        }
        brokenFiles.forEach(broken -> lines.add("  " + broken.file + ": " + broken.what));
        if (!damages.isEmpty()) {
            TextTable table = new TextTable(2, "table", "segment", "offset", "length", "granules", "what");
            damages.stream().limit(ROWS_SHOWN).forEach(damage -> table.row(
                    damage.table,
                    String.valueOf(Path.of(damage.file).getFileName()),
                    Long.toString(damage.offsetBytes),
                    Integer.toString(damage.lengthBytes),
                    Integer.toString(damage.granules),
                    damage.what));
            lines.addAll(List.of("", table.render()));
            if (damages.size() > ROWS_SHOWN) {
                lines.add("and " + Words.number(damages.size() - ROWS_SHOWN) + " more: --json writes all");
            }
        }
        if (!good) {
            lines.add("");
            lines.add(
                    "No query gets damaged bytes: a read detects them, drops the page and reads from the remote store. Check the disk (smartctl, dmesg). To"
                            + " start with an empty cache, stop the owner and delete the contents of the directory.");
            if (ownerState == DirectoryOwner.State.RUNNING || ownerState == DirectoryOwner.State.UNKNOWN) {
                lines.add(
                        "While an owner is running, data that is being changed may appear damaged. Verify again, or without the owner, to be sure.");
            }
        }
        return Words.lines(lines.stream());
    }
}
