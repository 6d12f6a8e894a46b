// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.version;

import com.amazonaws.SdkBaseException;
import com.amazonaws.services.glue.AWSGlueAsync;
import com.amazonaws.services.glue.model.GetTableRequest;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.glue.GlueHiveMetastore;
import io.eyrie.cache.host.HostField;
import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Versions of tables in Glue. They are read through the client of Presto's metastore, with its region, credentials and retries. */
public final class GlueVersions
        implements VersionSource
{
    /*
     * Tables      everything that Glue returns for one, not only VersionId and UpdateTime: both are the same if a table is dropped and created again within a
     *             second
     * Partitions  have neither; they are loaded and compared
     */
    // Presto's metastore does not expose them
    private static final HostField<GlueHiveMetastore, AWSGlueAsync> CLIENT = HostField.of(GlueHiveMetastore.class, "glueClient", AWSGlueAsync.class);
    private static final HostField<GlueHiveMetastore, String> CATALOG = HostField.of(GlueHiveMetastore.class, "catalogId", String.class);

    private final AWSGlueAsync client;
    private final @Nullable String catalogId;

    /** Reads the catalog of this metastore. */
    public GlueVersions(GlueHiveMetastore metastore)
    {
        this.client = CLIENT.get(requireNonNull(metastore, "metastore is null"));
        this.catalogId = CATALOG.get(metastore);
    }

    @Override
    public Optional<Object> ofTable(MetastoreContext context, String database, String table)
    {
        try {
            GetTableRequest request = new GetTableRequest().withCatalogId(catalogId).withDatabaseName(database).withName(table);
            return Optional.of(client.getTable(request).getTable());
        }
        catch (SdkBaseException e) {
            return Optional.empty(); // the table does not exist, or the metastore's own call fails too
        }
    }

    @Override
    public boolean tellsPartitions()
    {
        return false;
    }

    @Override
    public Map<String, Object> ofPartitions(MetastoreContext context, String database, String table, Collection<String> names)
    {
        return Map.of();
    }
}
