// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.select;

import com.amazonaws.AbortedException;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.common.predicate.TupleDomain;
import com.facebook.presto.common.type.TypeManager;
import com.facebook.presto.hive.HdfsEnvironment;
import com.facebook.presto.hive.HiveClientConfig;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveFileSplit;
import com.facebook.presto.hive.HiveSessionProperties;
import com.facebook.presto.hive.IonSqlQueryBuilder;
import com.facebook.presto.hive.s3.PrestoS3ClientFactory;
import com.facebook.presto.hive.s3.PrestoS3FileSystem;
import com.facebook.presto.hive.s3select.S3SelectDataType;
import com.facebook.presto.hive.s3select.S3SelectLineRecordReaderProvider;
import com.facebook.presto.hive.s3select.S3SelectRecordCursor;
import com.facebook.presto.hive.s3select.S3SelectRecordCursorProvider;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.RecordCursor;
import com.github.benmanes.caffeine.cache.Ticker;
import com.google.common.base.Throwables;
import com.google.inject.Inject;
import io.eyrie.cache.log.LimitedLog;
import io.eyrie.presto.filesystem.OpenedSplits;
import io.eyrie.presto.filesystem.StoreIds;
import io.eyrie.presto.version.Etags;
import io.eyrie.presto.version.SplitEtag;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.mapred.JobConf;
import org.joda.time.DateTimeZone;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_MAX_CLIENT_RETRIES;
import static com.facebook.presto.hive.s3.S3ConfigurationUpdater.S3_MAX_ERROR_RETRIES;
import static com.facebook.presto.hive.util.ConfigurationUtils.copy;
import static java.lang.System.Logger.Level.WARNING;
import static java.util.Objects.requireNonNull;
import static org.apache.hadoop.hive.metastore.api.hive_metastoreConstants.META_TABLE_NAME;
import static org.apache.hadoop.hive.serde.serdeConstants.QUOTE_CHAR;

/**
 * Runs S3 Select if the result is certain to equal that of the plain read. If this provider returns no cursor, Presto asks the next provider, which
 * reads plainly, through the page cache. It also returns none if the store refuses or fails before the first row. A later failure fails the query,
 * because rows were already returned.
 */
final class SelectCursorProvider
        extends S3SelectRecordCursorProvider
{
    /*
     * Version   S3 Select has no conditional requests. The file's entity tag is requested after the first row has arrived. The store opened one version
     *           for the request, between the listing, which had the split's tag, and that moment: if the tag is unchanged, it was that version.
     * Retries   Presto's reader does not retry here: it would retry refusals for half a minute, and resume a broken selection by skipping rows of a new
     *           one.
     * Repeated  When a worker would select from a file for the second time, it reads the file plainly and caches it.
     */
    private static final LimitedLog log = new LimitedLog(SelectCursorProvider.class, WARNING);
    private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF}; // of UTF-8
    // a noncharacter, which no text contains: the store then recognizes no quotes, as Hive does
    private static final String NO_QUOTE = "\uFDD1";

    private final HdfsEnvironment hdfs;
    private final HiveClientConfig config;
    private final PrestoS3ClientFactory clients;
    private final StoreIds storeIds;
    private final SelectStats stats;
    private final SelectMemory memory = new SelectMemory(Ticker.systemTicker());

    @Inject
    SelectCursorProvider(HdfsEnvironment hdfs, HiveClientConfig config, PrestoS3ClientFactory clients, StoreIds storeIds, SelectStats stats)
    {
        super(hdfs, config, clients);
        this.hdfs = requireNonNull(hdfs, "hdfs is null");
        this.config = requireNonNull(config, "config is null");
        this.clients = requireNonNull(clients, "clients is null");
        this.storeIds = requireNonNull(storeIds, "storeIds is null");
        this.stats = requireNonNull(stats, "stats is null");
    }

    /** The parameters of a split's selection. */
    private record Selection(Configuration configuration, HiveFileSplit split, Properties schema, List<HiveColumnHandle> columns,
            TupleDomain<HiveColumnHandle> pushed,
            DateTimeZone zone, TypeManager types)
    {
        Path path()
        {
            return new Path(split.getPath());
        }

        SelectMemory.Shape shape()
        {
            return new SelectMemory.Shape(
                    String.valueOf(path().toUri().getAuthority()),
                    schema.getProperty(META_TABLE_NAME, ""),
                    pushed.getDomains().orElseThrow().keySet());
        }

        SelectMemory.File file()
        {
            return new SelectMemory.File(split.getPath(), etag());
        }

        String etag()
        {
            return SplitEtag.decode(split.getExtraFileInfo()).orElseThrow();
        }
    }

    @Override
    @SuppressWarnings("ParameterNumber")
    public Optional<RecordCursor> createRecordCursor(
            Configuration configuration,
            ConnectorSession session,
            HiveFileSplit split,
            Properties schema,
            List<HiveColumnHandle> columns,
            TupleDomain<HiveColumnHandle> predicate,
            DateTimeZone zone,
            TypeManager types,
            boolean asked)
    {
        if (!asked) {
            return Optional.empty();
        }
        SelectRules.SelectDecision decision = SelectRules.decide(split, schema, columns, predicate);
        Selection selection = new Selection(configuration, split, schema, columns, decision.pushed(), zone, types);
        Optional<PlainReason> reason = decision.reason().or(() -> reasonAgainst(selection, session));
        // statistics of the session itself do not reach the coordinator
        RuntimeStats query = OpenedSplits.statsOf(selection.path()).orElseGet(session::getRuntimeStats);
        if (reason.isEmpty()) {
            return select(selection, session, query);
        }
        stats.plain(query, reason.get());
        return Optional.empty();
    }

    private Optional<PlainReason> reasonAgainst(Selection selection, ConnectorSession session)
    {
        Path path = selection.path();
        Configuration configuration = selection.configuration();
        if (!StoreIds.isCacheable(path.toUri(), configuration) || !storeIds.of(path.toUri(), configuration, session.getUser()).principal()
                .isEmpty()) {
            return Optional.of(PlainReason.PRINCIPAL);
        }
        CompressionCodec codec = new CompressionCodecFactory(configuration).getCodec(path);
        if (codec != null && !(codec instanceof GzipCodec)) {
            return Optional.of(PlainReason.FORMAT);
        }
        if (memory.wasRefused(selection.shape())) {
            return Optional.of(PlainReason.REFUSED_BEFORE);
        }
        return HiveSessionProperties.isCacheEnabled(session) && memory.wasSelected(selection.file())
                ? Optional.of(PlainReason.SELECTED_BEFORE)
                : Optional.empty();
    }

    private Optional<RecordCursor> select(Selection selection, ConnectorSession session, RuntimeStats query)
    {
        @Nullable
        RecordCursor opened = null;
        try {
            if (selection.columns().stream().anyMatch(column -> column.getHiveColumnIndex() == 0) && beginsWithMark(selection, session)) {
                stats.plain(query, PlainReason.BYTE_ORDER_MARK);
                return Optional.empty();
            }
            opened = open(selection);
            RecordCursor rows = new SelectedRows(opened, () -> memory.refused(selection.shape()));
            if (isStillThatVersion(selection, session)) {
                memory.selected(selection.file());
                stats.pushdown(query);
                return Optional.of(rows);
            }
            stats.plain(query, PlainReason.CHANGED);
        }
        catch (IOException | RuntimeException e) {
            if (isInterruption(e)) {
                close(opened);
                throw e instanceof RuntimeException unchecked ? unchecked : new IllegalStateException("Interrupted during S3 Select", e);
            }
            memory.refused(selection.shape());
            stats.plain(query, PlainReason.REFUSED);
            log.log("S3 Select from " + selection.path()
                    + " failed before the first row. Eyrie reads the split without S3 Select, and for ten minutes also similar splits of table "
                    + selection.shape().table() + ": " + e);
        }
        close(opened);
        return Optional.empty();
    }

    private RecordCursor open(Selection selection)
    {
        // a copy for this reader only: callers share file systems, which have the configuration of the first caller
        JobConf once = new JobConf(false);
        copy(selection.configuration(), once);
        once.setInt(S3_MAX_CLIENT_RETRIES, 0);
        once.setInt(S3_MAX_ERROR_RETRIES, 1);
        Properties schema = new Properties();
        schema.putAll(selection.schema());
        schema.setProperty(QUOTE_CHAR, NO_QUOTE);
        HiveFileSplit split = selection.split();
        String sql = new IonSqlQueryBuilder(selection.types(), S3SelectDataType.CSV).buildSql(selection.columns(), selection.pushed());
        return S3SelectLineRecordReaderProvider.get(once, config, selection.path(), 0, split.getLength(), split.getFileSize(), schema, sql, clients,
                S3SelectDataType.CSV)
                .map(reader -> new S3SelectRecordCursor<>(
                        once,
                        selection.path(),
                        reader,
                        split.getLength(),
                        schema,
                        selection.columns(),
                        selection.zone(),
                        selection.types()))
                .orElseThrow();
    }

    private boolean beginsWithMark(Selection selection, ConnectorSession session)
            throws IOException
    {
        Path path = selection.path();
        CompressionCodec codec = new CompressionCodecFactory(selection.configuration()).getCodec(path);
        try (FSDataInputStream file = hdfs.getFileSystem(session.getUser(), path, selection.configuration()).open(path)) {
            byte[] start = new byte[(int) Math.min(MARK.length, selection.split().getFileSize())];
            if (codec == null) {
                file.readFully(0, start);
            }
            else {
                try (InputStream text = codec.createInputStream(file)) {
                    start = text.readNBytes(MARK.length);
                }
            }
            return Arrays.equals(start, MARK);
        }
    }

    private boolean isStillThatVersion(Selection selection, ConnectorSession session)
            throws IOException
    {
        Path path = selection.path();
        FileSystem store = hdfs.getFileSystem(session.getUser(), path, selection.configuration());
        Etags.ResponseTags seen = new Etags.ResponseTags();
        FileStatus status = Etags.observing(seen, () -> store.getFileStatus(path));
        return status.getLen() == selection.split().getFileSize() && seen.take(PrestoS3FileSystem.keyFromPath(path)).equals(Optional.of(selection
                .etag()));
    }

    private static boolean isInterruption(Exception e)
    {
        return Thread.currentThread().isInterrupted()
                || Throwables.getCausalChain(e).stream().anyMatch(cause -> cause instanceof InterruptedException
                        || cause instanceof AbortedException);
    }

    /* Closes a selection that is not read further. A failure to close cannot affect a result. */
    private static void close(@Nullable RecordCursor cursor)
    {
        if (cursor == null) {
            return;
        }
        try {
            cursor.close();
        }
        catch (RuntimeException e) {
            log.log("Closing an S3 Select response failed", e);
        }
    }
}
