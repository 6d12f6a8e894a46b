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
 * The metadata updates that page sinks once exchanged with the coordinator. The engine dropped them, so a sink gets an
 * updater that nobody answers, and one that would wait for an answer is refused at once. Thread-safe.
 */
public final class MetadataUpdates
{
    private static final HiveMetadataUpdaterProvider PROVIDER = new HiveMetadataUpdaterProvider(newDirectExecutorService(), new HiveClientConfig());

    private MetadataUpdates()
    {}

    /** Stands for {@code context.getMetadataUpdater()}: present, as the connector requires, and never answered. */
    public static Optional<ConnectorMetadataUpdater> getMetadataUpdater(PageSinkContext context)
    {
        return Optional.of(PROVIDER.getMetadataUpdater());
    }

    /**
     * Stands for {@code updater.addMetadataUpdateRequest(…)}, which only a sink calls whose files the coordinator is to
     * rename.
     *
     * @throws PrestoException always: the sink would wait for ever
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
                "The engine no longer names the files of a write: file_renaming_enabled is true, allowed is false; "
                        + "SET SESSION <catalog>.file_renaming_enabled = false, or remove hive.file_renaming_enabled from the catalog's properties");
    }
}
