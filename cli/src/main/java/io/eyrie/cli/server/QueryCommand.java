// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import io.eyrie.cli.console.Console;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/** The command {@code eyrie query}. */
@Command(name = "query", mixinStandardHelpOptions = true, sortOptions = false, description = "Shows where a query's time went: Presto's phases, the work of each "
        + "cache layer, which lookups missed and why, and what to do. Reads from a running coordinator.")
public final class QueryCommand
        implements Callable<Integer>
{
    private static final Pattern QUERY_ID = Pattern.compile("[a-zA-Z0-9_]+");

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "QUERY_ID", description = "The query's id, as in system.runtime.queries and in Presto's console.")
    private String queryId = "";

    @Mixin
    private ServerOptions options = new ServerOptions();

    @Override
    public Integer call()
            throws IOException
    {
        CommandSpec command = requireNonNull(spec, "spec is null");
        if (!QUERY_ID.matcher(queryId).matches()) {
            throw new ParameterException(command.commandLine(), "'" + queryId + "' is not the id of a query, such as 20261122_144852_00048_69gjt");
        }
        PrestoServer server = options.connect(command);
        Optional<JsonNode> info = server.queryInfo(queryId);
        List<JsonNode> layers = server.rows(
                "SELECT layer, sum(hits), sum(hit_bytes), sum(misses), sum(loads), sum(load_bytes), sum(load_millis), count(DISTINCT node_id) FROM "
                        + options.table("queries") + " WHERE query_id = '" + queryId + "' GROUP BY layer");
        List<JsonNode> reasons = server.rows(
                "SELECT layer, r.reason, sum(r.misses), max(meaning), max(remedy) FROM " + options.table("queries")
                        + " CROSS JOIN UNNEST(misses_by_reason) AS r(reason, misses) LEFT JOIN " + options.table("reasons")
                        + " m ON m.reason = r.reason WHERE query_id = '" + queryId + "' GROUP BY 1, 2 ORDER BY 3 DESC");
        Console out = new Console(command.commandLine().getOut());
        if (info.isEmpty() && layers.isEmpty()) {
            out.print("No node knows query " + queryId
                    + ": the coordinator remembers query.max-history queries, and each node the latest thousand of catalog "
                    + options.catalog() + ".");
            return 1;
        }
        out.print(new QueryPage(queryId, options.catalog(), info, layers.stream().map(LayerWork::of).toList(), reasons.stream().map(LayerMisses::of)
                .toList()).text());
        return 0;
    }
}
