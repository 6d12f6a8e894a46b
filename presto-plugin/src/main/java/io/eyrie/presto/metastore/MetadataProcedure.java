// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.metastore;

import com.facebook.airlift.log.Logger;
import com.facebook.presto.hive.metastore.InvalidateMetastoreCacheProcedure;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.classloader.ThreadContextClassLoader;
import io.eyrie.cache.file.Scope;
import io.eyrie.metastore.VersionedHiveMetastore;
import io.eyrie.presto.control.ControlProcedures;
import io.eyrie.presto.control.OperatorRights;
import org.jspecify.annotations.Nullable;

import javax.inject.Inject;

import java.util.List;

import static com.facebook.presto.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static java.util.Objects.requireNonNull;

/**
 * Presto's procedure {@code system.invalidate_metastore_cache}, over Eyrie's cache: Presto's own one accepts only Presto's cache. Accepts names that do not exist,
 * because cached metadata would have to answer whether they do. Partitions are dropped with their whole table.
 */
final class MetadataProcedure
        extends InvalidateMetastoreCacheProcedure
{
    private static final Logger log = Logger.get(MetadataProcedure.class);

    private final SteeredMetadata metadata;
    private final OperatorRights rights;

    @Inject
    MetadataProcedure(VersionedHiveMetastore metastore, SteeredMetadata metadata, OperatorRights rights)
    {
        super(metastore);
        this.metadata = requireNonNull(metadata, "metadata is null");
        this.rights = requireNonNull(rights, "rights is null");
    }

    @Override
    @SuppressWarnings("try") // the resource is the thread's class loader
    public void invalidateMetastoreCache(ConnectorSession session, @Nullable String schema, @Nullable String table,
            @Nullable List<String> partitionColumns, @Nullable List<String> partitionValues)
    {
        try (ThreadContextClassLoader ignored = new ThreadContextClassLoader(MetadataProcedure.class.getClassLoader())) {
            Scope scope = ControlProcedures.target(schema, table, null).scope("");
            if (length(partitionColumns) != length(partitionValues) || (length(partitionColumns) > 0 && table == null)) {
                throw new PrestoException(
                        INVALID_PROCEDURE_ARGUMENT,
                        "partition_columns and partition_values do not name a partition: specify its table, and one value for each column");
            }
            rights.checkMayCall(session, "invalidate_metastore_cache");
            metadata.invalidate(scope);
            log.info("User %s called system.invalidate_metastore_cache with '%s.%s' in query %s", session.getUser(), scope.schema(), scope.table(),
                    session.getQueryId());
        }
    }

    private static int length(@Nullable List<String> names)
    {
        return names == null ? 0 : names.size();
    }
}
