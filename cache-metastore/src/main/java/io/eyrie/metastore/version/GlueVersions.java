// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.version;

import com.amazonaws.SdkBaseException;
import com.amazonaws.services.glue.AWSGlueAsync;
import com.amazonaws.services.glue.model.GetTableRequest;
import com.facebook.presto.hive.metastore.MetastoreContext;
import com.facebook.presto.hive.metastore.glue.GlueHiveMetastore;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
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
    private static final System.Logger LOG = System.getLogger(GlueVersions.class.getName());

    private final Optional<Client> client;

    /** Reads the catalog of this metastore. */
    public GlueVersions(GlueHiveMetastore metastore)
    {
        this.client = Client.of(requireNonNull(metastore, "metastore is null"));
    }

    @Override
    public Optional<Object> ofTable(MetastoreContext context, String database, String table)
    {
        if (client.isEmpty()) {
            return Optional.empty();
        }
        Client glue = client.orElseThrow();
        try {
            GetTableRequest request = new GetTableRequest().withCatalogId(glue.catalogId).withDatabaseName(database).withName(table);
            return Optional.of(glue.glue.getTable(request).getTable());
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

    /* Presto's metastore does not expose its client. */
    private record Client(AWSGlueAsync glue, @Nullable String catalogId)
    {
        static Optional<Client> of(GlueHiveMetastore metastore)
        {
            try {
                MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(GlueHiveMetastore.class, MethodHandles.lookup());
                VarHandle glue = lookup.findVarHandle(GlueHiveMetastore.class, "glueClient", AWSGlueAsync.class);
                VarHandle catalog = lookup.findVarHandle(GlueHiveMetastore.class, "catalogId", String.class);
                return Optional.of(new Client((AWSGlueAsync) glue.get(metastore), (String) catalog.get(metastore)));
            }
            catch (ReflectiveOperationException e) {
                LOG.log(Level.WARNING,
                        "Tables are not cached: GlueHiveMetastore of this presto-hive-metastore has no fields 'glueClient' and 'catalogId'", e);
                return Optional.empty();
            }
        }
    }
}
