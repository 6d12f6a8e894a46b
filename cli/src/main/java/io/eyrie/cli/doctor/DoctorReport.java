// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.doctor;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.eyrie.cli.console.TextTable;
import io.eyrie.cli.console.Words;
import io.eyrie.presto.check.Engine;
import io.eyrie.presto.check.Finding;
import io.eyrie.presto.check.Severity;
import io.eyrie.presto.config.AddedLine;
import io.eyrie.presto.memory.MemoryPlan;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The problems of a catalog, and the defaults that apply to it; the JSON output is this record.
 *
 * @param defaults the properties that the file does not set and whose values depend on {@code cache.enabled} or the machine
 * @param memory the caches' shares of the heap, if it is known
 * @param memoryUnknown why the memory is not known; absent if it is
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
@JsonInclude(JsonInclude.Include.NON_NULL)
record DoctorReport(String file, String catalog, int errors, int warnings, List<Complaint> findings, List<Default> defaults, @Nullable Memory memory,
        @Nullable String memoryUnknown)
{
    private static final String INDENT = " ".repeat(9);

    /** A finding. */
    record Complaint(String severity, String key, String value, String problem, String fix)
    {}

    /** A property with its value, and what that depends on. */
    record Default(String property, String value, String source, String reason)
    {}

    /** Facts that the checks find besides problems. */
    record Facts(List<AddedLine> added, Engine engine, Optional<MemoryPlan> plan)
    {}

    /** The memory of all layers, in bytes of the heap, except for {@code offHeapBytes}. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Memory(long heapBytes, long maxBytes, long totalBytes, long offHeapBytes, List<Share> layers)
    {}

    /** The memory of a layer. */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Share(String layer, String limitedBy, long limitBytes, long floorBytes, long bytes)
    {}

    static DoctorReport of(Path file, String catalog, List<Finding> findings, Facts facts)
    {
        return new DoctorReport(
                file.toString(),
                catalog,
                count(findings, Severity.ERROR),
                count(findings, Severity.WARNING),
                findings.stream()
                        .sorted(Comparator.comparing(Finding::severity))
                        .map(finding -> new Complaint(
                                finding.severity().name().toLowerCase(Locale.ROOT),
                                finding.key(),
                                finding.value(),
                                finding.problem(),
                                finding.fix()))
                        .toList(),
                facts.added()
                        .stream()
                        .map(line -> new Default(line.property(), line.value(), line.source().name().toLowerCase(Locale.ROOT), line.reason()))
                        .toList(),
                facts.plan().map(DoctorReport::memory).orElse(null),
                facts.plan().isPresent() ? null : memoryUnknown(facts.engine()));
    }

    private static String memoryUnknown(Engine engine)
    {
        return engine.heapBytes().isPresent()
                ? "The heap memory of the caches depends on a property with an error, above."
                : "To see the heap memory of the caches, name the engine's jvm.config (--jvm-config), or its config.properties next to it (--engine-config).";
    }

    private static int count(List<Finding> findings, Severity severity)
    {
        return (int) findings.stream().filter(finding -> finding.severity() == severity).count();
    }

    private static Memory memory(MemoryPlan plan)
    {
        return new Memory(plan.heapBytes(), plan.boundBytes(), plan.totalBytes(), plan.offHeapBytes(), plan.shares()
                .stream()
                .map(share -> new Share(share.layer().title(), share.layer().limitedBy(), share.limitBytes(), share.floorBytes(), share.bytes()))
                .toList());
    }

    String text()
    {
        List<String> lines = new ArrayList<>();
        lines.add(Words.plain(file) + ": " + (findings.isEmpty()
                ? "no problems found"
                : Words.count(errors, "error") + ", " + Words.count(warnings, "warning") + ", "
                        + Words.count(findings.size() - errors - warnings, "note")));
        for (Complaint finding : findings) {
            lines.add("");
            lines.add(String.format(Locale.ROOT, "%-9s", finding.severity) + Words.plain(finding.key + (finding.value.isEmpty()
                    ? ""
                    : " is " + finding.value)));
            lines.add(INDENT + Words.plain(finding.problem));
            if (!finding.fix.isEmpty()) {
                lines.add(INDENT + "To fix: " + Words.plain(finding.fix));
            }
        }
        lines.add("");
        if (!defaults.isEmpty()) {
            lines.add("Values that the file does not set:");
            TextTable table = new TextTable(4, "property", "value", "from", "meaning");
            defaults.forEach(line -> table.row(line.property, Words.plain(line.value), line.source.equals("switch")
                    ? "cache.enabled"
                    : "this machine",
                    line.reason));
            lines.add(table.render());
            lines.add("");
        }
        if (memoryUnknown != null) {
            lines.add(memoryUnknown);
        }
        if (memory != null) {
            lines.add("Memory on a heap of " + Words.size(memory.heapBytes) + ": cache.max-memory is " + Words.size(memory.maxBytes)
                    + ", and about " + Words.size(memory.offHeapBytes) + " more are off the heap.");
            TextTable table = new TextTable(2, "layer", "limited by", "limit", "minimum", "share");
            memory.layers.forEach(share -> table.row(
                    share.layer,
                    share.limitedBy,
                    Words.size(share.limitBytes),
                    Words.size(share.floorBytes),
                    Words.size(share.bytes)));
            table.rule().row("all", "cache.max-memory", "", "", Words.size(memory.totalBytes));
            lines.add(table.render());
        }
        return Words.lines(lines.stream());
    }
}
