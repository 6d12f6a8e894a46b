// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.presto.cache.CachingFileSystem;
import com.facebook.presto.hive.HiveFileContext;
import com.facebook.presto.hive.HiveFileInfo;
import com.facebook.presto.hive.filesystem.ExtendedFileSystem;
import com.facebook.presto.hive.s3.PrestoS3FileSystem;
import com.google.common.util.concurrent.ListenableFuture;
import io.eyrie.cache.admission.WriteBudget;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.PageCache;
import io.eyrie.cache.page.ReadContext;
import io.eyrie.cache.page.ReadListener;
import io.eyrie.presto.catalog.CacheModes;
import io.eyrie.presto.ledger.Account;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.MissReason;
import io.eyrie.presto.version.Etags;
import io.eyrie.presto.version.SplitEtag;
import org.apache.hadoop.fs.BufferedFSInputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

import java.io.IOException;
import java.util.Optional;

/** A remote file system that reads files of a known version through the page cache, and delegates everything else. */
final class PageCacheFileSystem
        extends CachingFileSystem
{
    // the size of a granule of the page store, which a small sequential read verifies in any case
    private static final int STREAM_BUFFER_BYTES = 64 << 10;

    private final PageCache cache;
    private final FileHandles handles;
    private final StoreId store;
    private final ReadOrigin asker;

    /**
     * The context of the reads.
     *
     * @param queryId {@code ""} if no query is known
     * @param credential as of {@link StoreIds#credential}
     */
    record ReadOrigin(String queryId, String credential, Scope table, WriteBudget budget, Ledger ledger, AccessChecks access, CacheMode mode)
    {}

    PageCacheFileSystem(ExtendedFileSystem dataTier, PageCache cache, FileHandles handles, StoreId store, ReadOrigin asker)
    {
        super(dataTier, dataTier.getUri());
        this.cache = cache;
        this.handles = handles;
        this.store = store;
        this.asker = asker;
    }

    /**
     * Opens a file for a record reader (text, CSV, JSON, sequence files), which knows only the path. The split that this thread is opening determines
     * the version. Any other file is opened uncached.
     */
    @Override
    public FSDataInputStream open(Path path, int bufferSize)
            throws IOException
    {
        Optional<HiveFileContext> opening = OpeningSplit.contextOf(path);
        return opening.isPresent() ? openFile(path, opening.get()) : dataTier.open(path, bufferSize);
    }

    @Override
    public FSDataInputStream openFile(Path path, HiveFileContext context)
            throws IOException
    {
        Optional<FileVersion> version = version(path, context);
        Scope scope = OpeningSplit.scopeOf(path, asker.table());
        if (version.isEmpty()) {
            if (OpeningSplit.contextOf(path).isPresent()) {
                asker.ledger().account(asker.queryId(), scope, CacheLayer.DATA).misses(MissReason.NO_VERSION, 1, context.getLength().orElse(0));
            }
            return openRemote(path, context);
        }
        asker.access().check(version.get(), asker.credential(), () -> dataTier);
        Ledger.OpenedFile opened = asker.ledger().opened(asker.queryId(), version.get(), scope);
        FileHandles.HandleKey key = new FileHandles.HandleKey(version.get(), asker.credential());
        RemoteFile remote = new RemoteFile(path, version.get(), dataTier::getFileStatus, handles.of(key, () -> openRemote(path, context)));
        CacheMode mode = CacheModes.here(asker.mode(), context.isCacheable());
        Account account = opened.account(CacheLayer.DATA);
        ReadListener listener = new RuntimeStatsListener(context.getStats(), account, asker.mode());
        ReadContext readContext = OpeningSplit.orderedBy(path)
                .map(also -> new ReadContext(scope, mode, listener.and(also), WriteBudget.ORDERED))
                .orElseGet(() -> new ReadContext(scope, mode, listener, asker.budget()));
        // what warming reads is not requested by a query
        Optional<Account> asking = OpeningSplit.orderedBy(path).isPresent() ? Optional.empty() : Optional.of(account);
        PageCacheInputStream stream = new PageCacheInputStream(cache.open(version.get(), remote, readContext), asking);
        OpeningSplit.opened(path, version.get(), scope, opened, stream);
        return new FSDataInputStream(new BufferedFSInputStream(stream, STREAM_BUFFER_BYTES));
    }

    private FSDataInputStream openRemote(Path path, HiveFileContext context)
            throws IOException
    {
        try {
            return dataTier.openFile(path, context);
        }
        catch (IOException | RuntimeException e) {
            throw e;
        }
        catch (Exception e) {
            throw new IOException(e);
        }
    }

    /**
     * Returns empty if the split does not determine the version, if the version is too young to be distinguished from the next, if S3 reports a
     * different length or no entity tag, or if no split opens the file and its tag is not known. The file is then read uncached.
     */
    private Optional<FileVersion> version(Path path, HiveFileContext context)
            throws IOException
    {
        if (context.getFileSize().isEmpty() || context.getModificationTime() <= 0) {
            return Optional.empty();
        }
        Optional<String> etag = SplitEtag.of(context.getExtraFileInfo());
        if (etag.isEmpty() && StoreIds.isS3(uri)) {
            if (OpeningSplit.contextOf(path).isEmpty()) {
                // Presto's quick statistics: a request for the tag would delay planning
                return Optional.empty();
            }
            // a split that was not made from a listing (symlinks, input formats with their own splits)
            Etags.ResponseTags seen = new Etags.ResponseTags();
            if (Etags.observing(seen, () -> dataTier.getFileStatus(path)).getLen() != context.getFileSize().getAsLong()) {
                return Optional.empty();
            }
            etag = seen.take(PrestoS3FileSystem.keyFromPath(path));
            if (etag.isEmpty()) {
                return Optional.empty();
            }
        }
        if (etag.isEmpty() && StoreIds.isTooYoung(context.getModificationTime())) {
            return Optional.empty();
        }
        return Optional.of(new FileVersion(store, path.toString(), context.getFileSize().getAsLong(), context.getModificationTime(), etag));
    }

    // The base class leaves these methods to Hadoop's defaults, which send more requests than the remote file system does.

    @Override
    public RemoteIterator<LocatedFileStatus> listFiles(Path path, boolean recursive)
            throws IOException
    {
        return dataTier.listFiles(path, recursive);
    }

    @Override
    public RemoteIterator<HiveFileInfo> listFiles(Path path)
            throws IOException
    {
        return dataTier.listFiles(path);
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listDirectory(Path path)
            throws IOException
    {
        return dataTier.listDirectory(path);
    }

    @Override
    public ListenableFuture<Void> renameFileAsync(Path source, Path destination)
            throws IOException
    {
        return dataTier.renameFileAsync(source, destination);
    }
}
