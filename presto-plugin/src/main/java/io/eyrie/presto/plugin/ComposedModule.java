// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.airlift.configuration.ConfigurationAwareModule;
import com.facebook.airlift.configuration.ConfigurationFactory;
import com.facebook.airlift.event.client.EventModule;
import com.facebook.airlift.json.JsonModule;
import com.facebook.airlift.json.smile.SmileModule;
import com.facebook.presto.common.block.BlockEncodingSerde;
import com.facebook.presto.common.type.TypeManager;
import com.facebook.presto.hive.HiveClientModule;
import com.facebook.presto.hive.HiveCommonModule;
import com.facebook.presto.hive.HiveProcedureModule;
import com.facebook.presto.hive.NodeVersion;
import com.facebook.presto.hive.RebindSafeMBeanServer;
import com.facebook.presto.hive.authentication.HiveAuthenticationModule;
import com.facebook.presto.hive.gcs.HiveGcsModule;
import com.facebook.presto.hive.metastore.HiveMetastoreModule;
import com.facebook.presto.hive.s3.HiveS3Module;
import com.facebook.presto.hive.security.HiveSecurityModule;
import com.facebook.presto.spi.ConnectorSystemConfig;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.PageIndexerFactory;
import com.facebook.presto.spi.PageSorter;
import com.facebook.presto.spi.connector.ConnectorContext;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.function.StandardFunctionResolution;
import com.facebook.presto.spi.plan.FilterStatsCalculatorService;
import com.facebook.presto.spi.relation.RowExpressionService;
import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.util.Modules;
import io.eyrie.presto.config.CatalogSettings;
import org.jspecify.annotations.Nullable;
import org.weakref.jmx.guice.MBeanModule;

import javax.management.MBeanServer;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The modules of Presto's Hive connector, overridden by the bindings of {@link CacheModule}.
 *
 * <p>Airlift's bootstrap installs this module and passes its {@link ConfigurationFactory} only to modules that it sees. {@code Modules.override} hides the
 * inner modules, so this module passes it to them.
 */
final class ComposedModule
        implements ConfigurationAwareModule
{
    private final String catalogName;
    private final CatalogSettings settings;
    private final ConnectorContext context;
    private @Nullable ConfigurationFactory configurationFactory;

    ComposedModule(String catalogName, CatalogSettings settings, ConnectorContext context)
    {
        this.catalogName = requireNonNull(catalogName, "catalogName is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.context = requireNonNull(context, "context is null");
    }

    @Override
    public void setConfigurationFactory(ConfigurationFactory configurationFactory)
    {
        this.configurationFactory = requireNonNull(configurationFactory, "configurationFactory is null");
    }

    @Override
    public void configure(Binder binder)
    {
        List<Module> connector = hiveConnector();
        CacheModule overrides = new CacheModule(catalogName, settings);
        connector.forEach(this::configured);
        configured(overrides);
        binder.install(Modules.override(connector).with(overrides));
    }

    private void configured(Module module)
    {
        if (module instanceof ConfigurationAwareModule aware) {
            aware.setConfigurationFactory(requireNonNull(configurationFactory, "configurationFactory is null"));
        }
    }

    /* HiveConnectorFactory's list without CachingModule: Eyrie replaces the Alluxio client and the file-merge cache. */
    private List<Module> hiveConnector()
    {
        return List.of(
                new EventModule(),
                new MBeanModule(),
                new JsonModule(),
                new SmileModule(),
                new HiveClientModule(catalogName),
                new HiveS3Module(catalogName),
                new HiveGcsModule(),
                new HiveMetastoreModule(catalogName, Optional.empty()),
                new HiveSecurityModule(),
                new HiveAuthenticationModule(),
                new HiveProcedureModule(),
                new HiveCommonModule(),
                this::bindEngine);
    }

    private void bindEngine(Binder binder)
    {
        binder.bind(MBeanServer.class).toInstance(new RebindSafeMBeanServer(ManagementFactory.getPlatformMBeanServer()));
        binder.bind(NodeVersion.class).toInstance(new NodeVersion(context.getNodeManager().getCurrentNode().getVersion()));
        binder.bind(NodeManager.class).toInstance(context.getNodeManager());
        binder.bind(TypeManager.class).toInstance(context.getTypeManager());
        binder.bind(PageIndexerFactory.class).toInstance(context.getPageIndexerFactory());
        binder.bind(PageSorter.class).toInstance(context.getPageSorter());
        binder.bind(StandardFunctionResolution.class).toInstance(context.getStandardFunctionResolution());
        binder.bind(FunctionMetadataManager.class).toInstance(context.getFunctionMetadataManager());
        binder.bind(RowExpressionService.class).toInstance(context.getRowExpressionService());
        binder.bind(FilterStatsCalculatorService.class).toInstance(context.getFilterStatsCalculatorService());
        binder.bind(BlockEncodingSerde.class).toInstance(context.getBlockEncodingSerde());
        binder.bind(ConnectorSystemConfig.class).toInstance(context.getConnectorSystemConfig());
    }
}
