// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Links presto-hive 0.294 to the SPI of 0.296, and its Parquet reader to the cache of page indexes. Run by the module's build. */
public final class RelinkPrestoHive
{
    private static final String SPI = "com/facebook/presto/spi/";
    private static final String CARRIED = "io/eyrie/relink/spi/";
    private static final String RUNTIME_PACKAGE = "io/eyrie/relink/runtime";
    private static final String METADATA_UPDATES = RUNTIME_PACKAGE + "/MetadataUpdates";

    private RelinkPrestoHive()
    {}

    /** Arguments: presto-hive's jar, presto-spi's jar of the same release, the compiled classes of this module, the target directory. */
    public static void main(String[] arguments)
            throws IOException
    {
        if (arguments.length != 4) {
            throw new IllegalArgumentException("Expected presto-hive's jar, presto-spi's jar, this module's classes and the target directory");
        }
        Path runtime = Path.of(arguments[2], RUNTIME_PACKAGE);
        new JarRelinker(plan(), Path.of(arguments[3])).relink(Path.of(arguments[0]), Path.of(arguments[1]), runtime);
    }

    static RelinkPlan plan()
    {
        Map<String, String> relocations = Map.of(
                SPI + "ConnectorMetadataUpdateHandle", CARRIED + "ConnectorMetadataUpdateHandle",
                SPI + "connector/ConnectorMetadataUpdater", CARRIED + "ConnectorMetadataUpdater",
                SPI + "connector/ConnectorMetadataUpdaterProvider", CARRIED + "ConnectorMetadataUpdaterProvider",
                SPI + "connector/ConnectorTypeSerdeProvider", CARRIED + "ConnectorTypeSerdeProvider");
        return new RelinkPlan(relocations, List.of(sinkAsksForUpdater(), sinkRequestsName(), copyOfMaterializedView(), readerAsksForPageIndexes()));
    }

    private static CallRewrite sinkAsksForUpdater()
    {
        MethodReference missing = new MethodReference(SPI + "PageSinkContext", "getMetadataUpdater", "()Ljava/util/Optional;");
        return new StaticRedirect(missing, METADATA_UPDATES, 2);
    }

    /* The engine no longer delivers the answer, so the sink would wait forever. */
    private static CallRewrite sinkRequestsName()
    {
        MethodReference unanswered = new MethodReference(
                "com/facebook/presto/hive/HiveMetadataUpdater",
                "addMetadataUpdateRequest",
                "(Ljava/lang/String;Ljava/lang/String;Ljava/util/Optional;I)V");
        return new StaticRedirect(unanswered, METADATA_UPDATES, 1);
    }

    /* CREATE MATERIALIZED VIEW copies the definition. A later release added the security mode, which must be copied, too. */
    private static CallRewrite copyOfMaterializedView()
    {
        String definition = SPI + "MaterializedViewDefinition";
        String strings = "Ljava/lang/String;".repeat(3);
        String rest = "Ljava/util/List;Ljava/util/List;Ljava/util/Optional;)V";
        return new InsertedArgument(
                new MethodReference(definition, "<init>", "(" + strings + "Ljava/util/List;Ljava/util/Optional;" + rest),
                new MethodReference(definition, "getOwner", "()Ljava/util/Optional;"),
                new MethodReference(definition, "getSecurityMode", "()Ljava/util/Optional;"),
                "(" + strings + "Ljava/util/List;Ljava/util/Optional;Ljava/util/Optional;" + rest,
                1);
    }

    /* The reader creates its data source itself: no binding can replace it. */
    private static CallRewrite readerAsksForPageIndexes()
    {
        String parquet = "com/facebook/presto/parquet/";
        MethodReference uncached = new MethodReference(
                parquet + "reader/ColumnIndexFilterUtils",
                "getColumnIndexStore",
                "(L" + parquet + "predicate/Predicate;L" + parquet
                        + "ParquetDataSource;Lorg/apache/parquet/hadoop/metadata/BlockMetaData;Ljava/util/Map;Z)Ljava/util/Optional;");
        return new StaticRedirect(uncached, "io/eyrie/footer/parquet/PageIndexes", 1);
    }
}
