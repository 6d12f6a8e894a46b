// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink.runtime;

import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.HiveMetadataUpdater;
import com.facebook.presto.hive.HiveMetadataUpdaterProvider;
import com.facebook.presto.spi.PageSinkContext;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.connector.ConnectorMetadataUpdater;

import java.util.Optional;

import static com.facebook.presto.spi.StandardErrorCode.NOT_SUPPORTED;
import static com.google.common.util.concurrent.MoreExecutors.newDirectExecutorService;

/**
 * Replaces the metadata updates that page sinks once exchanged with the coordinator. The engine no longer supports them, so a sink gets an updater whose
 * requests nothing answers. A sink that would wait for an answer fails at once. Thread-safe.
 */
public final class MetadataUpdates
{
    private static final HiveMetadataUpdaterProvider PROVIDER = new HiveMetadataUpdaterProvider(newDirectExecutorService(), new HiveClientConfig());

    private MetadataUpdates()
    {}

    /** Replaces {@code context.getMetadataUpdater()}: the updater is present, as the connector requires, but is never answered. */
    public static Optional<ConnectorMetadataUpdater> getMetadataUpdater(PageSinkContext context)
    {
        return Optional.of(PROVIDER.getMetadataUpdater());
    }

    /**
     * Replaces {@code updater.addMetadataUpdateRequest(…)}, which a sink calls only if the coordinator must rename its files.
     *
     * @throws PrestoException always, because the sink would wait forever
     */
    @SuppressWarnings("DoNotCallSuggester") // relinked bytecode calls it
    public static void addMetadataUpdateRequest(
            HiveMetadataUpdater updater,
            String schemaName,
            String tableName,
            Optional<String> partitionName,
            int writerIndex)
    {
        throw new PrestoException(
                NOT_SUPPORTED,
                "The engine no longer names the files of a write: file_renaming_enabled is true, but must be false. To fix: "
                        + "SET SESSION <catalog>.file_renaming_enabled = false, or remove hive.file_renaming_enabled from the catalog's properties");
    }
}
