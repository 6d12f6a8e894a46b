// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import io.eyrie.cli.console.Console;
import io.eyrie.cli.server.TopPage.LayerCounters;
import io.eyrie.cli.server.TopPage.TableLayer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import static java.util.Objects.requireNonNull;

/** The command {@code eyrie top}. */
@Command(name = "top", mixinStandardHelpOptions = true, sortOptions = false, description = "Shows the work of the caches by table and layer, and refreshes it, "
        + "like top. The first page shows totals since the nodes started. Each later page shows rates since the page before. Reads from a running coordinator.")
public final class TopCommand
        implements Callable<Integer>
{
    private static final String CLEAR = "\033[H\033[2J";

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ServerOptions options = new ServerOptions();

    @Option(names = "--interval", paramLabel = "SECONDS", defaultValue = "5", description = "Time between two pages. Default: ${DEFAULT-VALUE}.")
    private int intervalSeconds;

    @Option(names = "--count", paramLabel = "N", description = "Number of pages to print, one below the other. Without it, the command clears the terminal before each page and runs until you interrupt it.")
    private int count;

    @Option(names = "--rows", paramLabel = "N", defaultValue = "30", description = "Maximum number of rows of a page. Those with the longest load time come first. Default: ${DEFAULT-VALUE}.")
    private int rows;

    @Option(names = "--layer", paramLabel = "NAME", description = "Shows only this layer: metastore, file_list, file_statistics, fragment, footer or data.")
    private @Nullable String layer;

    @Override
    public Integer call()
            throws IOException
    {
        CommandSpec command = requireNonNull(spec, "spec is null");
        if (intervalSeconds < 1 || count < 0 || rows < 1) {
            throw new ParameterException(command.commandLine(), "--interval and --rows are at least 1, --count at least 0");
        }
        PrestoServer server = options.connect(command);
        Console out = new Console(command.commandLine().getOut());
        Map<TableLayer, LayerCounters> before = Map.of();
        long beforeNanos = System.nanoTime();
        for (int page = 1;; page++) {
            Map<TableLayer, LayerCounters> now = read(server);
            long nowNanos = System.nanoTime();
            double seconds = page == 1 ? 0 : (nowNanos - beforeNanos) / 1e9;
            out.print((count == 0 ? CLEAR : "") + new TopPage(options.catalog(), before, now, seconds, rows).text());
            if (page == count) {
                return 0;
            }
            before = now;
            beforeNanos = nowNanos;
            try {
                TimeUnit.SECONDS.sleep(intervalSeconds);
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return 0;
            }
        }
    }

    private Map<TableLayer, LayerCounters> read(PrestoServer server)
            throws IOException
    {
        return server.rows("SELECT schema_name, table_name, layer, coalesce(sum(hits), 0), coalesce(sum(hit_bytes), 0), coalesce(sum(misses), 0),"
                + " coalesce(sum(loads), 0), coalesce(sum(load_bytes), 0), coalesce(sum(load_millis), 0), sum(current_bytes) FROM "
                + options.table("tables") + " GROUP BY 1, 2, 3").stream()
                .filter(row -> layer == null || row.path(2).asText().equals(layer))
                .collect(Collectors.toMap(TableLayer::of, LayerCounters::of));
    }
}
