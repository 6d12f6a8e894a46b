// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.lake.LakeBuilder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A Presto plugin that writes to a file which inputs event listeners receive for a query, and how many leaf fragments were in the plans that passed
 * the engine's checkers: the engine calls a plugin's checkers after its own ones of the same stage.
 */
final class AuditPlugin
{
    /** Stages of the engine's plan checkers after which plans do not change. */
    static final String FINAL = "final";
    static final String FRAGMENT = "fragment";

    private static final String INPUT = "input";
    private static final String COMPLETED = "completed";
    private static final String SOURCE = """
            import com.facebook.presto.spi.ConnectorSession;
            import com.facebook.presto.spi.CoordinatorPlugin;
            import com.facebook.presto.spi.Plugin;
            import com.facebook.presto.spi.WarningCollector;
            import com.facebook.presto.spi.eventlistener.EventListener;
            import com.facebook.presto.spi.eventlistener.EventListenerFactory;
            import com.facebook.presto.spi.eventlistener.QueryCompletedEvent;
            import com.facebook.presto.spi.eventlistener.QueryInputMetadata;
            import com.facebook.presto.spi.plan.PlanChecker;
            import com.facebook.presto.spi.plan.PlanCheckerProvider;
            import com.facebook.presto.spi.plan.PlanCheckerProviderContext;
            import com.facebook.presto.spi.plan.PlanCheckerProviderFactory;
            import com.facebook.presto.spi.plan.PlanNode;
            import com.facebook.presto.spi.plan.SimplePlanFragment;
            import com.facebook.presto.spi.plan.TableScanNode;
            import java.io.IOException;
            import java.io.UncheckedIOException;
            import java.nio.file.Files;
            import java.nio.file.Path;
            import java.nio.file.StandardOpenOption;
            import java.util.List;
            import java.util.Map;

            public final class Audit implements Plugin
            {
                @Override
                public Iterable<EventListenerFactory> getEventListenerFactories()
                {
                    return List.of(new EventListenerFactory()
                    {
                        @Override
                        public String getName()
                        {
                            return "audit";
                        }

                        @Override
                        public EventListener create(Map<String, String> config)
                        {
                            return new Listener(Path.of(config.get("file")));
                        }
                    });
                }

                public static final class Coordinator implements CoordinatorPlugin
                {
                    @Override
                    public Iterable<PlanCheckerProviderFactory> getPlanCheckerProviderFactories()
                    {
                        return List.of(new PlanCheckerProviderFactory()
                        {
                            @Override
                            public String getName()
                            {
                                return "audit";
                            }

                            @Override
                            public PlanCheckerProvider create(Map<String, String> config, PlanCheckerProviderContext context)
                            {
                                return new Checkers(Path.of(config.get("file")));
                            }
                        });
                    }
                }

                private record Listener(Path file) implements EventListener
                {
                    @Override
                    public void queryCompleted(QueryCompletedEvent event)
                    {
                        String query = event.getMetadata().getQueryId();
                        for (QueryInputMetadata input : event.getIoMetadata().getInputs()) {
                            write(file, "input", query, input.getCatalogName() + "." + input.getSchema() + "." + input.getTable()
                                    + input.getColumnObjects().stream().map(column -> column.getName() + " " + column.getType()).sorted().toList());
                        }
                        write(file, "completed", query, "");
                    }
                }

                private record Checkers(Path file) implements PlanCheckerProvider, PlanChecker
                {
                    @Override
                    public List<PlanChecker> getFinalPlanCheckers()
                    {
                        return List.of(this);
                    }

                    @Override
                    public List<PlanChecker> getFragmentPlanCheckers()
                    {
                        return List.of(this);
                    }

                    @Override
                    public void validate(PlanNode plan, WarningCollector warnings, ConnectorSession session)
                    {
                        write(file, "final", session.getQueryId(), Integer.toString(leaves(plan)));
                    }

                    @Override
                    public void validateFragment(SimplePlanFragment fragment, WarningCollector warnings, ConnectorSession session)
                    {
                        write(file, "fragment", session.getQueryId(), Integer.toString(leaves(fragment.getRoot())));
                    }
                }

                private static int leaves(PlanNode node)
                {
                    if (node instanceof TableScanNode scan) {
                        return scan.getTable().getLayout().filter(layout -> layout.toString().contains("plan fragment")).isPresent() ? 1 : 0;
                    }
                    return node.getSources().stream().mapToInt(Audit::leaves).sum();
                }

                private static synchronized void write(Path file, String kind, String query, String text)
                {
                    try {
                        Files.writeString(file, kind + "\\t" + query + "\\t" + text + "\\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                    }
                    catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            }
            """;

    private final Path directory;
    private final Path file;

    private AuditPlugin(Path directory)
    {
        this.directory = directory.toAbsolutePath();
        this.file = this.directory.resolve("audit.tsv");
    }

    /** Writes the configuration of an audit; {@link #in} adds it to a cluster. */
    static AuditPlugin write(Path directory)
    {
        AuditPlugin audit = new AuditPlugin(directory);
        try {
            Files.createDirectories(audit.checkers());
            Files.writeString(audit.file, "");
            Files.writeString(audit.listener(), "event-listener.name=audit\nfile=" + audit.file + "\n");
            Files.writeString(audit.checkers().resolve("audit.properties"), "plan-checker-provider.name=audit\nfile=" + audit.file + "\n");
            return audit;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    LakeBuilder in(LakeBuilder lake, Path engineLib)
    {
        return lake.plugin("audit", PluginJar.write(directory.resolve("plugin"), engineLib, "Audit", SOURCE, Map.of("Plugin", "Audit",
                "CoordinatorPlugin", "Audit$Coordinator")))
                .config("event-listener.config-files", listener().toString())
                .config("plan-checker.config-dir", checkers().toString());
    }

    private Path listener()
    {
        return directory.resolve("event-listener.properties");
    }

    private Path checkers()
    {
        return directory.resolve("plan-checkers");
    }

    /** Returns whether the event of a query's end was written, which happens after the client has its rows. */
    boolean isCompleted(String queryId)
    {
        return !texts(COMPLETED, queryId).isEmpty();
    }

    /** Returns catalog, schema, table and columns of each input in a query's event. */
    List<String> inputs(String queryId)
    {
        return texts(INPUT, queryId).stream().sorted().toList();
    }

    /** Returns the number of leaf fragments in each plan of a query that passed the checkers of a stage. */
    List<Integer> leaves(String stage, String queryId)
    {
        return texts(stage, queryId).stream().map(Integer::valueOf).toList();
    }

    private List<String> texts(String kind, String queryId)
    {
        try {
            String written = Files.readString(file);
            // the last line may be incomplete
            return written.substring(0, written.lastIndexOf('\n') + 1)
                    .lines()
                    .map(line -> line.split("\t", 3))
                    .filter(parts -> parts[0].equals(kind) && parts[1].equals(queryId))
                    .map(parts -> parts[2])
                    .toList();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
