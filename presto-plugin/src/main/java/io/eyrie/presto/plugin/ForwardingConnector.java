// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import com.facebook.presto.spi.SystemTable;
import com.facebook.presto.spi.connector.Connector;
import com.facebook.presto.spi.connector.ConnectorAccessControl;
import com.facebook.presto.spi.connector.ConnectorCapabilities;
import com.facebook.presto.spi.connector.ConnectorCodecProvider;
import com.facebook.presto.spi.connector.ConnectorCommitHandle;
import com.facebook.presto.spi.connector.ConnectorIndexProvider;
import com.facebook.presto.spi.connector.ConnectorMetadata;
import com.facebook.presto.spi.connector.ConnectorNodePartitioningProvider;
import com.facebook.presto.spi.connector.ConnectorPageSinkProvider;
import com.facebook.presto.spi.connector.ConnectorPageSourceProvider;
import com.facebook.presto.spi.connector.ConnectorPlanOptimizerProvider;
import com.facebook.presto.spi.connector.ConnectorRecordSetProvider;
import com.facebook.presto.spi.connector.ConnectorSplitManager;
import com.facebook.presto.spi.connector.ConnectorTransactionHandle;
import com.facebook.presto.spi.function.table.ConnectorTableFunction;
import com.facebook.presto.spi.procedure.DistributedProcedure;
import com.facebook.presto.spi.procedure.Procedure;
import com.facebook.presto.spi.session.PropertyMetadata;
import com.facebook.presto.spi.transaction.IsolationLevel;

import java.util.List;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * Forwards every method of {@link Connector} to another connector.
 *
 * <p>If a later release of Presto adds a method to the interface, this class inherits its default, as does the connector behind it, unless that is newer,
 * too: {@link SpiCheck} refuses to start then. Presto's SPI has the counterpart for metadata,
 * {@link com.facebook.presto.spi.connector.classloader.ClassLoaderSafeConnectorMetadata}, but none for connectors.
 */
abstract class ForwardingConnector
        implements Connector
{
    private final Connector delegate;

    ForwardingConnector(Connector delegate)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
    }

    @Override
    public ConnectorTransactionHandle beginTransaction(IsolationLevel isolationLevel, boolean readOnly)
    {
        return delegate.beginTransaction(isolationLevel, readOnly);
    }

    @Override
    public ConnectorMetadata getMetadata(ConnectorTransactionHandle transaction)
    {
        return delegate.getMetadata(transaction);
    }

    @Override
    public ConnectorSplitManager getSplitManager()
    {
        return delegate.getSplitManager();
    }

    @Override
    public ConnectorPageSourceProvider getPageSourceProvider()
    {
        return delegate.getPageSourceProvider();
    }

    @Override
    public ConnectorRecordSetProvider getRecordSetProvider()
    {
        return delegate.getRecordSetProvider();
    }

    @Override
    public ConnectorPageSinkProvider getPageSinkProvider()
    {
        return delegate.getPageSinkProvider();
    }

    @Override
    public ConnectorIndexProvider getIndexProvider()
    {
        return delegate.getIndexProvider();
    }

    @Override
    public ConnectorNodePartitioningProvider getNodePartitioningProvider()
    {
        return delegate.getNodePartitioningProvider();
    }

    @Override
    public ConnectorPlanOptimizerProvider getConnectorPlanOptimizerProvider()
    {
        return delegate.getConnectorPlanOptimizerProvider();
    }

    @Override
    public ConnectorCodecProvider getConnectorCodecProvider()
    {
        return delegate.getConnectorCodecProvider();
    }

    @Override
    public Set<SystemTable> getSystemTables()
    {
        return delegate.getSystemTables();
    }

    @Override
    public Set<Procedure> getProcedures()
    {
        return delegate.getProcedures();
    }

    @Override
    public Set<DistributedProcedure> getDistributedProcedures()
    {
        return delegate.getDistributedProcedures();
    }

    @Override
    public Set<ConnectorTableFunction> getTableFunctions()
    {
        return delegate.getTableFunctions();
    }

    @Override
    public Set<Class<?>> getSystemFunctions()
    {
        return delegate.getSystemFunctions();
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return delegate.getSessionProperties();
    }

    @Override
    public List<PropertyMetadata<?>> getSchemaProperties()
    {
        return delegate.getSchemaProperties();
    }

    @Override
    public List<PropertyMetadata<?>> getAnalyzeProperties()
    {
        return delegate.getAnalyzeProperties();
    }

    @Override
    public List<PropertyMetadata<?>> getTableProperties()
    {
        return delegate.getTableProperties();
    }

    @Override
    public List<PropertyMetadata<?>> getColumnProperties()
    {
        return delegate.getColumnProperties();
    }

    @Override
    public ConnectorAccessControl getAccessControl()
    {
        return delegate.getAccessControl();
    }

    @Override
    public ConnectorCommitHandle commit(ConnectorTransactionHandle transaction)
    {
        return delegate.commit(transaction);
    }

    @Override
    public void rollback(ConnectorTransactionHandle transaction)
    {
        delegate.rollback(transaction);
    }

    @Override
    public boolean isSingleStatementWritesOnly()
    {
        return delegate.isSingleStatementWritesOnly();
    }

    @Override
    public void shutdown()
    {
        delegate.shutdown();
    }

    @Override
    public Set<ConnectorCapabilities> getCapabilities()
    {
        return delegate.getCapabilities();
    }
}
