// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.airlift.bootstrap.Bootstrap;
import com.facebook.airlift.log.Logger;
import com.facebook.presto.spi.ConnectorHandleResolver;
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
import io.eyrie.presto.check.SelfCheck;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.CatalogProperties;
import io.eyrie.presto.config.EyrieCacheConfig;
import io.eyrie.presto.handle.EyrieHandleResolver;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import static com.facebook.presto.spi.StandardErrorCode.CONFIGURATION_INVALID;
import static com.facebook.presto.spi.StandardErrorCode.NOT_SUPPORTED;

/** Creates the connector of a catalog with {@code connector.name=eyrie}. One process may have any number of catalogs. */
public final class EyrieConnectorFactory
        implements ConnectorFactory
{
    static final String NAME = "eyrie";

    private static final long CHECK_MILLIS = 10_000;

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
        String version = context.getNodeManager().getCurrentNode().getVersion();
        try (ThreadContextClassLoader ignored = new ThreadContextClassLoader(classLoader)) {
            EngineVersion.warning(version).ifPresent(log::warn);
            SpiCheck.check();
            CatalogProperties sorted = new CatalogProperties(catalogName, properties);
            finishOrGoOn(() -> report(new CatalogFile(catalogName, properties)), CHECK_MILLIS);
            LeftOutJars.check(properties, classLoader);
            Injector injector = new Bootstrap(new ComposedModule(catalogName, sorted.settings(), context))
                    .doNotInitializeLogging()
                    .setRequiredConfigurationProperties(sorted.forConnector())
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
            throw refused(catalogName, version, e);
        }
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

    /* Logs a line for each finding. The check must not stop a catalog that could start. */
    private static void report(CatalogFile catalog)
    {
        try {
            SelfCheck check = new SelfCheck(catalog, StartedCatalog.all());
            Stream.concat(check.findings().stream(), check.memoryFindings(Runtime.getRuntime().maxMemory(), Engine.UNKNOWN).stream()).forEach(
                    finding -> {
                        String line = "Catalog " + catalog.name() + ": " + finding.text();
                        switch (finding.severity()) {
                            case ERROR -> log.error("%s", line);
                            case WARNING -> log.warn("%s", line);
                            default -> log.info("%s", line);
                        }
                    });
        }
        catch (RuntimeException e) {
            log.warn(e, "Catalog %s: the check of its properties failed", catalog.name());
        }
    }

    /*
     * Returns an exception that names only what the operator has to change. It has no cause: the log would otherwise hide the relevant line in a page of the
     * injector's stack frames. Throws any other failure as it is.
     */
    static RuntimeException refused(String catalogName, String version, Throwable failure)
    {
        List<Throwable> causes = Stream.concat(Stream.of(failure), failure instanceof CreationException creation
                ? creation.getErrorMessages().stream().map(Message::getCause).filter(Objects::nonNull)
                : Stream.empty()).flatMap(cause -> Throwables.getCausalChain(cause).stream()).toList();
        Optional<ConfigException> complaint = first(causes, ConfigException.class);
        if (complaint.isPresent()) {
            return new PrestoException(CONFIGURATION_INVALID, "Catalog " + catalogName + ": " + EyrieCacheConfig.inOperatorsTerms(complaint.get())
                    .getMessage());
        }
        Optional<String> missing = first(causes, UnsupportedHostException.class).map(Throwable::getMessage)
                .or(() -> first(causes, IncompatibleClassChangeError.class).map(Throwable::toString));
        if (missing.isPresent()) {
            return new PrestoException(NOT_SUPPORTED, "Catalog " + catalogName + ": " + EngineVersion.refusal(version, missing.get()));
        }
        Throwables.throwIfUnchecked(failure);
        throw new IllegalStateException(failure);
    }

    private static <T> Optional<T> first(List<Throwable> causes, Class<T> type)
    {
        return causes.stream().filter(type::isInstance).map(type::cast).findFirst();
    }
}
