// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.warm;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.TypeManager;
import com.facebook.presto.hive.BaseHiveColumnHandle.ColumnType;
import com.facebook.presto.hive.HdfsContext;
import com.facebook.presto.hive.HdfsEnvironment;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveFileSplit;
import com.facebook.presto.hive.HiveSessionProperties;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.HiveStorageFormat;
import com.facebook.presto.hive.HiveTableLayoutHandle;
import com.facebook.presto.hive.HiveType;
import com.facebook.presto.hive.metastore.Column;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.NodeManager;
import com.facebook.presto.spi.PrestoException;
import com.facebook.presto.spi.SplitContext;
import com.google.inject.Inject;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.presto.affinity.SplitArrivals;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.filesystem.CachingPageSourceProvider;
import io.eyrie.presto.handle.WarmRequest;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.MissReason;
import io.eyrie.presto.warm.SplitBytes.WarmedFile;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.facebook.presto.hive.HiveErrorCode.HIVE_CANNOT_OPEN_SPLIT;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toUnmodifiableSet;

/** Creates page sources that load splits into the cache of this worker. Thread-safe. */
public final class Warmer
{
    private static final Set<String> WITH_FOOTERS = Stream.of(HiveStorageFormat.ORC, HiveStorageFormat.DWRF, HiveStorageFormat.PARQUET)
            .map(HiveStorageFormat::getInputFormat).collect(toUnmodifiableSet());

    private final Optional<PageCache> cache;
    private final HdfsEnvironment hdfs;
    private final CachingPageSourceProvider scans;
    private final SplitArrivals arrivals;
    private final TypeManager types;
    private final String nodeId;

    @Inject
    public Warmer(Optional<PageCache> cache, HdfsEnvironment hdfs, CachingPageSourceProvider scans, SplitArrivals arrivals, TypeManager types,
            NodeManager nodes)
    {
        this.cache = requireNonNull(cache, "cache is null");
        this.hdfs = requireNonNull(hdfs, "hdfs is null");
        this.scans = requireNonNull(scans, "scans is null");
        this.arrivals = requireNonNull(arrivals, "arrivals is null");
        this.types = requireNonNull(types, "types is null");
        nodeId = nodes.getCurrentNode().getNodeIdentifier();
    }

    /**
     * Returns a page source that loads a split as it is read.
     *
     * @param keepable whether the engine lets the split be cached
     * @param reader reads columns of the split's rows, and notifies the listener
     */
    public ConnectorPageSource warm(
            ConnectorSession session,
            HiveSplit split,
            HiveTableLayoutHandle layout,
            WarmRequest warming,
            List<ColumnHandle> columns,
            SplitContext keepable,
            BiFunction<List<ColumnHandle>, ReadListener, ConnectorPageSource> reader)
    {
        HiveFileSplit file = split.getFileSplit();
        WarmedBytes bytes = new WarmedBytes();
        boolean here = arrivals.keeps(split, keepable);
        boolean kept = here && HiveSessionProperties.isCacheEnabled(session) && CacheModes.of(session, CacheLayer.DATA) == CacheMode.READ_WRITE;
        if (!kept) {
            bytes.refuse(here ? MissReason.READ_ONLY : MissReason.NOT_PREFERRED_NODE);
        }
        Optional<SplitBytes> data = kept && warming.data()
                ? Optional.of(new SplitBytes(() -> open(session, split, layout, bytes), cache.orElseThrow(), file.getStart(), file.getLength()))
                : Optional.empty();
        Map<ColumnHandle, Type> keys = new LinkedHashMap<>();
        columns.stream().map(HiveColumnHandle.class::cast).filter(HiveColumnHandle::isPartitionKey)
                .forEach(key -> keys.put(key, types.getType(key.getTypeSignature())));
        boolean footers = kept && WITH_FOOTERS.contains(split.getStorage().getStorageFormat().getInputFormat());
        List<ColumnHandle> read = new ArrayList<>(keys.keySet());
        if (footers && warming.data()) {
            // for their indexes, which lie among the data
            read.addAll(dataColumns(layout));
        }
        SplitRows rows = new SplitRows(keys, () -> reader.apply(read, bytes), footers);
        return new WarmPageSource(
                columns,
                data,
                rows,
                bytes,
                () -> new WarmedSplit(nodeId, file.getPath(), file.getStart(), file.getLength(), bytes.found(), bytes.loaded(), bytes.state()));
    }

    private static List<HiveColumnHandle> dataColumns(HiveTableLayoutHandle layout)
    {
        List<Column> columns = layout.getDataColumns();
        return IntStream.range(0, columns.size()).mapToObj(index -> {
            HiveType type = columns.get(index).getType();
            return new HiveColumnHandle(columns.get(index).getName(), type, type.getTypeSignature(), index, ColumnType.REGULAR, Optional.empty(),
                    Optional
                            .empty());
        }).toList();
    }

    private WarmedFile open(ConnectorSession session, HiveSplit split, HiveTableLayoutHandle layout, WarmedBytes bytes)
    {
        Path path = new Path(split.getFileSplit().getPath());
        HdfsContext context = new HdfsContext(session, split.getDatabase(), split.getTable(), layout.getTablePath(), false);
        RuntimeStats stats = session.getRuntimeStats();
        return scans.opening(session, split, new SplitContext(true), stats, Optional.of(bytes), file -> {
            try {
                FSDataInputStream stream = hdfs.getFileSystem(context, path).openFile(path, file);
                return new WarmedFile(stream, CachingPageSourceProvider.openedVersion());
            }
            catch (Exception e) {
                throw new PrestoException(HIVE_CANNOT_OPEN_SPLIT, "Cannot open " + path + ": " + e.getMessage(), e);
            }
        });
    }
}
