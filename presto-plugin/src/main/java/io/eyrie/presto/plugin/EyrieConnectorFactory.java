// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.airlift.bootstrap.Bootstrap;
import com.facebook.airlift.log.Logger;
import com.facebook.presto.spi.ConnectorHandleResolver;
import com.facebook.presto.spi.Node;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.classloader.ThreadContextClassLoader;
import com.facebook.presto.spi.connector.Connector;
import com.facebook.presto.spi.connector.ConnectorContext;
import com.facebook.presto.spi.connector.ConnectorFactory;
import com.google.common.base.Throwables;
import com.google.inject.CreationException;
import com.google.inject.Injector;
import com.google.inject.spi.Message;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.host.UnsupportedHostException;
import io.eyrie.presto.check.Engine;
import io.eyrie.presto.check.Finding;
import io.eyrie.presto.check.SelfCheck;
import io.eyrie.presto.check.Severity;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.CatalogProperties;
import io.eyrie.presto.config.CatalogSettings;
import io.eyrie.presto.config.EyrieCacheConfig;
import io.eyrie.presto.config.Machine;
import io.eyrie.presto.handle.EyrieHandleResolver;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.facebook.presto.spi.StandardErrorCode.CONFIGURATION_INVALID;
import static com.facebook.presto.spi.StandardErrorCode.NOT_SUPPORTED;
import static java.util.Objects.requireNonNullElse;

/** Creates the connector of a catalog with {@code connector.name=eyrie}. One process may have any number of catalogs. */
public final class EyrieConnectorFactory
        implements ConnectorFactory
{
    static final String NAME = "eyrie";

    private static final String CONTROL = "cache.control-directory";
    private static final long CHECK_MILLIS = 10_000;
    /** Errors of airlift about the value of a property. */
    private static final Pattern ABOUT_A_VALUE = Pattern.compile(
            "Could not coerce value|Invalid configuration property|Defunct property|conflicts with property");
    private static final Pattern ABOUT_A_PROPERTY = Pattern.compile(ABOUT_A_VALUE + "|Configuration property '.*' was not used");

    private static final Logger log = Logger.get(EyrieConnectorFactory.class);

    @Override
    public String getName()
    {
        return NAME;
    }

    @Override
    public ConnectorHandleResolver getHandleResolver()
    {
        return new EyrieHandleResolver();
    }

    @Override
    @SuppressWarnings("try") // the resource is the thread's class loader
    public Connector create(String catalogName, Map<String, String> properties, ConnectorContext context)
    {
        ClassLoader classLoader = EyrieConnectorFactory.class.getClassLoader();
        Node node = context.getNodeManager().getCurrentNode();
        List<Finding> errors = new CopyOnWriteArrayList<>();
        try (ThreadContextClassLoader ignored = new ThreadContextClassLoader(classLoader)) {
            log.info("Catalog %s: Eyrie %s on Presto %s", catalogName, version(), node.getVersion());
            EngineVersion.warning(node.getVersion()).ifPresent(log::warn);
            SpiCheck.check();
            Machine machine = Machine.current(node.isCoordinator());
            finishOrGoOn(() -> errors.addAll(report(new CatalogFile(catalogName, properties), machine)), CHECK_MILLIS);
            if (errors.stream().anyMatch(error -> error.key().equals(CONTROL))) { // the operators' changes would end
                throw invalid(catalogName, errors, List.of(), List.of());
            }
            CatalogProperties sorted = new CatalogProperties(catalogName, properties);
            LeftOutJars.check(properties, classLoader);
            CatalogSettings settings = sorted.settings(machine);
            Injector injector = new Bootstrap(new ComposedModule(catalogName, settings, context))
                    .doNotInitializeLogging()
                    .setRequiredConfigurationProperties(settings.forConnector())
                    .quiet()
                    .initialize();
            if (injector.getInstance(EyrieCacheConfig.class).isNamedAsInGuide()) {
                log.info("Catalog %s: cache.type=ALLUXIO names Eyrie's own engine", catalogName);
            }
            Connector connector = new ComposedConnector(injector, classLoader).connector();
            injector.getInstance(StartedCatalog.class).start();
            return connector;
        }
        catch (ConfigException | UnsupportedHostException | LinkageError | CreationException e) {
            throw refused(catalogName, node.getVersion(), e, errors);
        }
    }

    private static String version()
    {
        return requireNonNullElse(EyrieConnectorFactory.class.getPackage().getImplementationVersion(), "(a build without a version)");
    }

    /** Runs work and waits for its end, at most so many milliseconds: a disk that it checks may hang. */
    static void finishOrGoOn(Runnable work, long millis)
    {
        Thread thread = new Thread(null, work, "eyrie-self-check", 0, true);
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join(millis);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /* Logs a line for each finding and returns the errors. The check must not stop a catalog that could start. */
    private static List<Finding> report(CatalogFile catalog, Machine machine)
    {
        try {
            SelfCheck check = new SelfCheck(catalog, StartedCatalog.all(), machine);
            Engine engine = Engine.running();
            List<Finding> findings = new ArrayList<>(check.findings());
            findings.addAll(SelfCheck.engineFindings(engine));
            findings.addAll(check.memoryFindings(engine.heapBytes().orElseThrow(), engine));
            findings.forEach(finding -> {
                String line = "Catalog " + catalog.name() + ": " + finding.text();
                switch (finding.severity()) {
                    case ERROR -> log.error("%s", line);
                    case WARNING -> log.warn("%s", line);
                    default -> log.info("%s", line);
                }
            });
            check.added().forEach(line -> log.info("Catalog %s: %s is %s unless the file sets it: %s", catalog.name(), line.property(), line.value(),
                    line
                            .reason()));
            return findings.stream().filter(finding -> finding.severity() == Severity.ERROR).toList();
        }
        catch (RuntimeException e) {
            log.warn(e, "Catalog %s: the check of its properties failed", catalog.name());
            return List.of();
        }
    }

    /*
     * Returns an exception that names all that the operator has to change. It has no cause: the log would otherwise hide the relevant lines in a page of the
     * injector's stack frames. Throws any other failure as it is.
     */
    static RuntimeException refused(String catalogName, String version, Throwable failure, List<Finding> errors)
    {
        List<Message> messages = failure instanceof CreationException creation ? List.copyOf(creation.getErrorMessages()) : List.of();
        List<Throwable> causes = Stream.concat(Stream.of(failure), messages.stream().map(Message::getCause).filter(Objects::nonNull))
                .flatMap(cause -> Throwables.getCausalChain(cause).stream())
                .toList();
        Optional<ConfigException> complaint = first(causes, ConfigException.class);
        if (complaint.isPresent()) {
            return invalid(catalogName, errors, List.of(Finding.of(complaint.get())), aboutValues(messages));
        }
        Optional<String> missing = first(causes, UnsupportedHostException.class).map(Throwable::getMessage)
                .or(() -> first(causes, IncompatibleClassChangeError.class).map(Throwable::toString));
        if (missing.isPresent()) {
            return new PrestoException(NOT_SUPPORTED, "Catalog " + catalogName + ": " + EngineVersion.refusal(version, missing.get()));
        }
        if (!errors.isEmpty() && messages.stream().anyMatch(message -> ABOUT_A_PROPERTY.matcher(message.getMessage()).find())) {
            return invalid(catalogName, errors, List.of(), aboutValues(messages));
        }
        Throwables.throwIfUnchecked(failure);
        throw new IllegalStateException(failure);
    }

    /* A module that fails leaves bindings missing and properties unused, which are no errors of the operator. */
    private static List<String> aboutValues(List<Message> messages)
    {
        return messages.stream().map(Message::getMessage).filter(message -> ABOUT_A_VALUE.matcher(message).find()).toList();
    }

    /* Names each property once: the check of properties finds most of what stops a catalog, too. */
    private static PrestoException invalid(String catalogName, List<Finding> errors, List<Finding> complaints, List<String> messages)
    {
        List<Finding> all = new ArrayList<>(errors);
        complaints.stream().filter(complaint -> errors.stream().noneMatch(error -> error.key().equals(complaint.key()))).forEach(all::add);
        List<String> lines = new ArrayList<>(all.stream().map(Finding::text).toList());
        messages.stream().filter(message -> all.stream().noneMatch(finding -> message.contains(finding.key()))).forEach(lines::add);
        String text = lines.size() == 1 ? lines.get(0) : lines.size() + " errors:\n- " + String.join("\n- ", lines);
        return new PrestoException(CONFIGURATION_INVALID, "Catalog " + catalogName + ": " + text);
    }

    private static <T> Optional<T> first(List<Throwable> causes, Class<T> type)
    {
        return causes.stream().filter(type::isInstance).map(type::cast).findFirst();
    }
}
