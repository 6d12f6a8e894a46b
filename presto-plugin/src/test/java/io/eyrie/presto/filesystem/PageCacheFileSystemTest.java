// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.hive.CacheQuota;
import com.facebook.presto.hive.HiveFileContext;
import io.eyrie.cache.admission.WriteBudget;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.ByteRange;
import io.eyrie.cache.page.CacheMode;
import io.eyrie.cache.page.ReadContext;
import io.eyrie.footer.ColumnRange;
import io.eyrie.footer.FooterFile;
import io.eyrie.presto.config.AccessCheckConfig;
import io.eyrie.presto.config.FileHandlesConfig;
import io.eyrie.presto.ledger.CacheLayer;
import io.eyrie.presto.ledger.Ledger;
import io.eyrie.presto.ledger.MissReason;
import io.eyrie.presto.ledger.Tally;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import static com.facebook.presto.hive.gcs.GcsAccessTokenProvider.GCS_ACCESS_TOKEN_CONF;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PageCacheFileSystemTest
{
    private static final StoreId STORE = StoreId.shared("hdfs://namenode");
    private static final Path FILE = new Path("hdfs://namenode/file");
    private static final byte[] CONTENT = "0123456789".getBytes(UTF_8);

    private final Ledger ledger = new Ledger("eyrie");
    private final RecordingPageCache cache = new RecordingPageCache();
    private final MemoryFileSystem remote = remote("hdfs://namenode", FILE);
    private final FileHandles handles = new FileHandles(new FileHandlesConfig());
    private long nanos;
    private final AccessChecks access = new AccessChecks(new AccessCheckConfig(), () -> nanos);
    private final PageCacheFileSystem fileSystem = caching(remote);
    private final RuntimeStats stats = new RuntimeStats();

    @Test
    void splitNamesTheVersion()
            throws Exception
    {
        assertThat(readAll(fileSystem.openFile(FILE, context(10, 123, true)))).isEqualTo("0123456789");
        assertThat(cache.opened).containsExactly(new FileVersion(STORE, FILE.toString(), 10, 123, Optional.empty()));
        assertThat(cache.contexts).extracting(ReadContext::mode).containsExactly(CacheMode.READ_WRITE);
        assertThat(remote.requests).as("what was read is held against the listed version").containsExactly("open file", "status file");
        assertThat(stats.getMetric("eyrieDataRemoteReadBytes").getSum()).isEqualTo(10);
    }

    @Test
    void splitOnAnotherNodeThanThePreferredIsNotWritten()
            throws Exception
    {
        fileSystem.openFile(FILE, context(10, 123, false)).close();
        assertThat(cache.contexts).extracting(ReadContext::mode).containsExactly(CacheMode.READ_ONLY);
    }

    @Test
    void unknownVersionIsReadUncached()
            throws Exception
    {
        assertThat(readAll(fileSystem.open(FILE, 4096))).isEqualTo("0123456789");
        assertThat(readAll(fileSystem.openFile(FILE, HiveFileContext.DEFAULT_HIVE_FILE_CONTEXT))).isEqualTo("0123456789");
        assertThat(readAll(fileSystem.openFile(FILE, context(10, 0, true)))).isEqualTo("0123456789");
        assertThat(cache.opened).isEmpty();
    }

    @Test
    void fileWithoutVersionIsMissedByTheBytesOfTheSplit()
            throws Exception
    {
        HiveFileContext split = new HiveFileContext(true, CacheQuota.NO_CACHE_CONSTRAINTS, Optional.empty(), OptionalLong.of(10), OptionalLong.of(4),
                OptionalLong.of(3), 0, false, stats);
        String unused = new OpeningSplit(FILE, "", split, CacheMode.READ_WRITE, Set.of(), Optional.empty()).during(() -> uncheckedRead(FILE));
        Tally tally = requireNonNull(requireNonNull(ledger.scopes().get(new Scope("eyrie", "schema", "table", ""))).get(CacheLayer.DATA));
        assertThat(tally.misses(MissReason.NO_VERSION)).isEqualTo(1);
        assertThat(tally.missBytes()).isEqualTo(3);
    }

    @Test
    void youngFileWithoutTagIsReadUncached()
            throws Exception
    {
        assertThat(readAll(fileSystem.openFile(FILE, context(10, System.currentTimeMillis(), true)))).isEqualTo("0123456789");
        assertThat(cache.opened).isEmpty();
    }

    @Test
    void nextSplitFindsItsFileOpen()
            throws Exception
    {
        for (int split = 0; split < 3; split++) {
            assertThat(readAll(fileSystem.openFile(FILE, context(10, 123, true)))).isEqualTo("0123456789");
        }
        assertThat(opens()).isEqualTo(1);
        remote.modifiedMillis = 124;
        readAll(fileSystem.openFile(FILE, context(10, 124, true)));
        assertThat(opens()).as("another version is opened").isEqualTo(2);
    }

    @Test
    void anotherUserIsGivenAnOpenFile()
            throws Exception
    {
        for (String user : new String[] {"ann", "bob"}) {
            PageCacheFileSystem personal = new PageCacheFileSystem(remote, cache, handles, new StoreId(STORE.endpoint(), user), asker(Scope.NONE));
            readAll(personal.openFile(FILE, context(10, 123, true)));
        }
        assertThat(opens()).as("each is let in, and then opens the file").isEqualTo(4);
    }

    @Test
    void rightsOfAUserAreAskedForAgain()
            throws Exception
    {
        PageCacheFileSystem personal = new PageCacheFileSystem(remote, cache, handles, new StoreId(STORE.endpoint(), "ann"), asker(Scope.NONE));
        for (int split = 0; split < 3; split++) {
            personal.openFile(FILE, context(10, 123, true)).close();
        }
        assertThat(remote.requests).containsExactly("open file");
        nanos = new AccessCheckConfig().getInterval().roundTo(NANOSECONDS);
        byte[] content = requireNonNull(remote.files.remove(FILE));
        assertThatThrownBy(() -> personal.openFile(FILE, context(10, 123, true))).isInstanceOf(FileNotFoundException.class);
        remote.files.put(FILE, content);
        personal.openFile(FILE, context(10, 123, true)).close();
        assertThat(remote.requests).as("a refusal is not remembered").hasSize(3);
        assertThat(access.checks()).isEqualTo(3);
        assertThat(access.refusals()).isEqualTo(1);
    }

    /* Two people can have the same name in Presto, if a tool connects as one user or names are not authenticated. */
    @Test
    void rightsBelongToTheCredentialThatTheSessionPasses()
            throws Exception
    {
        readAll(ofToken("one").openFile(FILE, context(10, 123, true)));
        remote.requests.clear();
        readAll(ofToken("one").openFile(FILE, context(10, 123, true)));
        assertThat(opens()).as("opens with the same token").isZero();
        readAll(ofToken("two").openFile(FILE, context(10, 123, true)));
        assertThat(opens()).as("opens with another token, to be let in and to read").isEqualTo(2);
        assertThat(cache.opened).as("tokens change every hour").hasSize(3).containsOnly(cache.opened.get(0));
        remote.files.remove(FILE);
        ofToken("two").openFile(FILE, context(10, 123, true)).close();
        assertThatThrownBy(() -> ofToken("three").openFile(FILE, context(10, 123, true))).isInstanceOf(FileNotFoundException.class);
    }

    private PageCacheFileSystem ofToken(String token)
    {
        Configuration configuration = new Configuration(false);
        configuration.set(GCS_ACCESS_TOKEN_CONF, token);
        PageCacheFileSystem.ReadOrigin asker = new PageCacheFileSystem.ReadOrigin("query", StoreIds.credential(configuration), Scope.NONE,
                WriteBudget.UNLIMITED, ledger, access, CacheMode.READ_WRITE);
        return new PageCacheFileSystem(remote, cache, handles, new StoreId(STORE.endpoint(), "bi"), asker);
    }

    @Test
    void rightToAnObjectIsARightToItsBytes()
            throws Exception
    {
        Path object = new Path("s3a://bucket/file");
        MemoryFileSystem s3 = remote("s3a://bucket", object);
        StoreId ofAnn = new StoreId("s3://aws", "ann");
        access.check(new FileVersion(ofAnn, object.toString(), 10, 123, Optional.of("tag")), "", () -> s3);
        assertThat(s3.requests).containsExactly("open file");
        s3.beforeRead = () -> {
            throw new IllegalStateException("AccessDenied: kms:Decrypt");
        };
        FileVersion encrypted = new FileVersion(new StoreId("s3://aws", "bob"), object.toString(), 10, 123, Optional.of("tag"));
        assertThatThrownBy(() -> access.check(encrypted, "", () -> s3)).hasMessageContaining("kms:Decrypt");
        s3.requests.clear();
        access.check(new FileVersion(new StoreId("s3://aws", "carol"), object.toString(), 0, 123, Optional.of("tag")), "", () -> s3);
        assertThat(s3.requests).as("an empty object").containsExactly("status file");
    }

    @Test
    void recordReaderOpensTheSplitByPath()
            throws Exception
    {
        Path other = new Path("hdfs://namenode/other");
        remote.files.put(other, CONTENT);
        HiveFileContext context = context(10, 123, true);
        String read = new OpeningSplit(FILE, "", context, CacheMode.READ_WRITE, Set.of(), Optional.empty()).during(() -> {
            assertThat(OpeningSplit.contextOf(other)).isEmpty();
            assertThat(OpeningSplit.openedFile()).isEmpty();
            uncheckedRead(other);
            assertThat(OpeningSplit.openedFile()).as("another file").isEmpty();
            uncheckedRead(FILE);
            assertThat(OpeningSplit.openedFile()).map(FooterFile::version).hasValue(cache.opened.get(0));
            cache.opened.clear();
            return uncheckedRead(FILE);
        });
        assertThat(read).isEqualTo("0123456789");
        assertThat(cache.opened).extracting(FileVersion::modifiedMillis).containsExactly(123L);
        assertThat(OpeningSplit.contextOf(FILE)).isEmpty();
        assertThat(OpeningSplit.openedFile()).isEmpty();
    }

    @Test
    void pagesBelongToThePartitionOfTheSplit()
    {
        Path other = new Path("hdfs://namenode/other");
        remote.files.put(other, CONTENT);
        Scope table = new Scope("eyrie", "schema", "table", "");
        Scope partition = new Scope("eyrie", "schema", "table", "ds=1/hour=2");
        for (String name : new String[] {partition.partition(), ""}) {
            Scope footers = new OpeningSplit(FILE, name, context(10, 123, true), CacheMode.READ_WRITE, Set.of(), Optional.empty()).during(() -> {
                uncheckedOpenFile(FILE);
                uncheckedOpenFile(other);
                return OpeningSplit.openedFile().orElseThrow().scope();
            });
            assertThat(footers).isEqualTo(name.isEmpty() ? table : partition);
        }
        uncheckedOpenFile(FILE);
        assertThat(cache.contexts).extracting(ReadContext::scope).containsExactly(partition, table, table, table, table);
    }

    @Test
    void chunksOfTheRowGroupThatIsReadAreReadAhead()
            throws IOException
    {
        OpeningSplit opening = new OpeningSplit(FILE, "", context(10, 123, true), CacheMode.READ_WRITE, Set.of(), Optional.empty());
        FSDataInputStream stream = opening.during(() -> {
            try {
                FSDataInputStream opened = fileSystem.openFile(FILE, context(10, 123, true));
                new OpenedSplits().rowGroup(List.of(new ColumnRange("a", 0, 2), new ColumnRange("b", 2, 3)));
                new OpenedSplits().rowGroup(List.of(new ColumnRange("a", 5, 1), new ColumnRange("b", 6, 4)));
                // a dictionary that may show that nothing need be read
                opened.readFully(0, new byte[2]);
                return opened;
            }
            catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        List<Set<String>> asked = new ArrayList<>();
        opening.readColumnsAhead(columns -> {
            asked.add(columns);
            return new ColumnHabits();
        });
        assertThat(asked).containsExactly(Set.of("a", "b"));
        assertThat(cache.prefetched).isEmpty();
        stream.readFully(6, new byte[4]);
        assertThat(cache.prefetched).containsExactly(new ByteRange(5, 1));
        stream.close();
    }

    private void uncheckedOpenFile(Path path)
    {
        try {
            fileSystem.openFile(path, context(10, 123, true)).close();
        }
        catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void s3FileWithoutTagIsAskedForOnceAndReadUncachedIfThereIsNone()
            throws Exception
    {
        Path object = new Path("s3a://bucket/file");
        MemoryFileSystem s3 = remote("s3a://bucket", object);
        PageCacheFileSystem caching = caching(s3);
        HiveFileContext context = context(10, 123, true);
        String read = new OpeningSplit(object, "", context, CacheMode.READ_WRITE, Set.of(), Optional.empty()).during(() -> {
            try {
                return readAll(caching.openFile(object, context));
            }
            catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        assertThat(read).isEqualTo("0123456789");
        assertThat(s3.requests).containsExactly("status file", "open file");
        assertThat(cache.opened).isEmpty();
    }

    /* Presto's quick statistics open each file of a partition while the query is planned. */
    @Test
    void s3FileThatNoSplitOpensIsReadUncachedWithoutAskingForItsTag()
            throws Exception
    {
        Path object = new Path("s3a://bucket/file");
        MemoryFileSystem s3 = remote("s3a://bucket", object);
        assertThat(readAll(caching(s3).openFile(object, context(10, 123, true)))).isEqualTo("0123456789");
        assertThat(s3.requests).containsExactly("open file");
        assertThat(cache.opened).isEmpty();
        assertThat(ledger.scopes()).as("its reads are not misses of the query").isEmpty();
    }

    @Test
    void seekAndPositionedReads()
            throws Exception
    {
        try (FSDataInputStream in = fileSystem.openFile(FILE, context(10, 123, true))) {
            byte[] buffer = new byte[4];
            in.readFully(6, buffer);
            assertThat(new String(buffer, UTF_8)).isEqualTo("6789");
            in.seek(8);
            assertThat(in.getPos()).isEqualTo(8);
            assertThat(in.available()).isEqualTo(2);
            assertThat((char) in.read()).isEqualTo('8');
            assertThat((char) in.read()).isEqualTo('9');
            assertThat(in.read()).isEqualTo(-1);
            assertThat(in.read(10, buffer, 0, 4)).isEqualTo(-1);
            assertThatThrownBy(() -> in.readFully(7, buffer)).isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> in.seek(11)).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void missingFileIsTheRemoteStoresOwnError()
            throws Exception
    {
        Path missing = new Path("hdfs://namenode/missing");
        try (FSDataInputStream in = fileSystem.openFile(missing, context(10, 123, true))) {
            assertThatThrownBy(in::read).isInstanceOf(java.io.FileNotFoundException.class).hasMessageContaining("missing");
        }
    }

    @Test
    void fileWithoutTagThatIsOverwrittenWhileItIsReadIsNoMixture()
            throws Exception
    {
        readAll(fileSystem.openFile(FILE, context(10, 123, true)));
        remote.files.put(FILE, "abcdefghij".getBytes(UTF_8));
        remote.modifiedMillis = 456_789;
        assertThatThrownBy(() -> readAll(fileSystem.openFile(FILE, context(10, 123, true)))).as("over a stream that was open before")
                .hasRootCauseInstanceOf(ListedFileChangedException.class).hasMessageContaining("run the query again");

        remote.beforeRead = () -> remote.modifiedMillis = 567_890;
        assertThatThrownBy(() -> readAll(fileSystem.openFile(FILE, context(10, 456_789, true)))).as("in the middle of a range")
                .hasRootCauseInstanceOf(ListedFileChangedException.class);
        assertThat(readAll(fileSystem.openFile(FILE, context(10, 567_890, true)))).isEqualTo("abcdefghij");
        assertThat(readAll(fileSystem.openFile(FILE, context(10, 567_000, true)))).as("a store that lists whole seconds").isEqualTo("abcdefghij");

        remote.files.put(FILE, new byte[11]);
        assertThatThrownBy(() -> readAll(fileSystem.openFile(FILE, context(10, 567_890, true)))).as("of another length")
                .hasRootCauseInstanceOf(ListedFileChangedException.class);
        remote.files.remove(FILE);
        assertThatThrownBy(() -> readAll(fileSystem.openFile(FILE, context(10, 567_890, true)))).isInstanceOf(FileNotFoundException.class);
    }

    private long opens()
    {
        return remote.requests.stream().filter("open file"::equals).count();
    }

    private String uncheckedRead(Path path)
    {
        try {
            return readAll(fileSystem.open(path, 4096));
        }
        catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String readAll(FSDataInputStream stream)
            throws IOException
    {
        try (stream) {
            return new String(stream.readAllBytes(), UTF_8);
        }
    }

    private PageCacheFileSystem caching(MemoryFileSystem remoteFileSystem)
    {
        return new PageCacheFileSystem(remoteFileSystem, cache, handles, STORE, asker(new Scope("eyrie", "schema", "table", "")));
    }

    private static MemoryFileSystem remote(String uri, Path path)
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem(uri);
        fileSystem.files.put(path, CONTENT);
        return fileSystem;
    }

    private HiveFileContext context(long length, long modifiedMillis, boolean cacheable)
    {
        return new HiveFileContext(
                cacheable,
                CacheQuota.NO_CACHE_CONSTRAINTS,
                Optional.empty(),
                OptionalLong.of(length),
                OptionalLong.of(0),
                OptionalLong.of(length),
                modifiedMillis,
                false,
                stats);
    }

    private PageCacheFileSystem.ReadOrigin asker(Scope table)
    {
        return new PageCacheFileSystem.ReadOrigin("query", "", table, WriteBudget.UNLIMITED, ledger, access, CacheMode.READ_WRITE);
    }
}
