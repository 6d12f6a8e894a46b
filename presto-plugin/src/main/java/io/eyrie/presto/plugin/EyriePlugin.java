// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.presto.spi.Plugin;
import com.facebook.presto.spi.connector.ConnectorFactory;

import java.util.List;

/** The plugin that the engine loads. Provides the connector named {@code eyrie}. */
public final class EyriePlugin
        implements Plugin
{
    @Override
    public Iterable<ConnectorFactory> getConnectorFactories()
    {
        return List.of(new EyrieConnectorFactory());
    }
}
