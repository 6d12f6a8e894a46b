// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.block.BlockEncodingManager;
import com.facebook.presto.hive.HiveColumnHandle;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import io.eyrie.cache.PageCaches;
import io.eyrie.cache.blob.BlobCache;
import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.page.PageCache;
import io.eyrie.fragment.key.CanonicalLeaf;
import io.eyrie.fragment.key.SplitKey;
import io.eyrie.fragment.leaf.Leaf;
import io.eyrie.fragment.leaf.Leaf.Projection;
import io.eyrie.fragment.leaf.LeafCompiler;
import io.eyrie.fragment.result.FinerKey;
import io.eyrie.fragment.result.FragmentLimits;
import io.eyrie.fragment.result.FragmentResults;
import io.eyrie.fragment.result.Groupings;
import io.eyrie.fragment.result.ResultFormat;
import io.eyrie.presto.config.CatalogSettings;
import io.eyrie.presto.fragment.SplitKeysTest.QueryOverSplit;
import io.eyrie.presto.handle.EyrieLayoutHandle;
import io.eyrie.presto.proxy.Proxies;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Measures the processor time in which a worker looks for the result of a split and finds none, with two groupings that may have finer results and
 * without one. {@code bin/bench finer-lookup} runs it in a process of its own.
 */
public final class FinerLookupMeasurement
{
    /*
     * Key      The key of each split is built as SplitLeaves does, once for the leaf and once for each finer leaf
     * Rounds   With and without groupings in turn; a repeat is the median of its rounds. The first repeat warms up, and is not printed
     */
    private static final int SPLITS = 2000;
    private static final int ROUNDS = 41;
    private static final double NANOS_PER_MICRO = 1000;
    private static final LeafEngine ENGINE = new LeafEngine(Proxies.of(LeafCompiler.class, FinerLookupMeasurement::unexpected));
    private static final CanonicalLeaf.Factory LEAVES = new CanonicalLeaf.Factory(
            Proxies.of(FunctionMetadataManager.class, FinerLookupMeasurement::unexpected), new BlockEncodingManager(),
            (column, writer) -> SplitKeys.column((HiveColumnHandle) column, writer));
    private static final ThreadMXBean PROCESSOR = ManagementFactory.getThreadMXBean();
    private static final Scope TABLE = new Scope("hive", "schema", "table", "");

    private final FragmentResults results;
    private final ConnectorSession session;
    private final EyrieLayoutHandle layout;
    private final HiveSplit split;
    private final SplitKeys keys;
    private final SplitKey.Builder shared;
    private final List<FileVersion> files = LongStream.range(0, SPLITS).mapToObj(file -> new FileVersion(
            StoreId.shared("s3://bucket"), "/warehouse/schema.db/table/ds=2021-01-01/part-" + file + ".orc", 64 << 20, 1_600_000_000_000L + file,
            Optional.of("0123456789abcdef0123456789abcdef-" + file))).toList();

    private FinerLookupMeasurement(BlobCache blobs)
    {
        results = new FragmentResults(blobs, new ResultFormat(new BlockEncodingManager(), false), FragmentLimits.DEFAULT, System::nanoTime);
        session = SplitKeysMutationTest.session(SplitKeysMutationTest.session(), "by name");
        QueryOverSplit query = new QueryOverSplit();
        layout = query.layout();
        split = query.split();
        keys = new SplitKeys(new CatalogSettings(Map.of(), Map.of()), List.of(), "0.296", Map.of());
        shared = keys.shared(session, layout);
    }

    private static Object unexpected(Object proxy, Method method, Object[] arguments)
    {
        throw new UnsupportedOperationException(method + " is not part of a lookup");
    }

    /** Prints {@code ours} and {@code without}, each with microseconds a split, as often as the argument requires. */
    public static void main(String[] arguments)
            throws IOException
    {
        PrintWriter out = new PrintWriter(System.out, true, UTF_8);
        Path directory = Files.createTempDirectory("finer-lookup");
        PageCacheConfig config = PageCacheConfig.builder().baseDirectories(List.of(directory)).capacityBytes(256 << 20).minFreeSpaceBytes(0).build();
        try (PageCache cache = PageCaches.open(config)) {
            BlobCache blobs = cache.blobs().orElseThrow();
            FinerLookupMeasurement measurement = new FinerLookupMeasurement(blobs);
            Optional<Groupings> groupings = Optional.of(new Groupings(blobs));
            measurement.leaf(groupings, "a", "b", "c", "d");
            measurement.leaf(groupings, "a", "b", "c", "e");
            FinerLeaves with = measurement.leaf(groupings, "a", "b");
            FinerLeaves without = measurement.leaf(Optional.empty(), "a", "b");
            for (int repeat = 0; repeat <= Integer.parseInt(arguments[0]); repeat++) {
                List<Double> ours = new ArrayList<>();
                List<Double> theirs = new ArrayList<>();
                for (int round = 0; round < ROUNDS; round++) {
                    theirs.add(measurement.micros(without, 0));
                    ours.add(measurement.micros(with, 2));
                }
                if (repeat > 0) {
                    out.println("ours " + median(ours));
                    out.println("without " + median(theirs));
                }
            }
        }
        finally {
            MoreFiles.deleteRecursively(directory, RecursiveDeleteOption.ALLOW_INSECURE);
        }
    }

    private static double median(List<Double> values)
    {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    /* Returns a leaf that groups by these columns. */
    private FinerLeaves leaf(Optional<Groupings> groupings, String... keys)
    {
        Map<VariableReferenceExpression, ColumnHandle> columns = new LinkedHashMap<>();
        for (String key : keys) {
            columns.put(new VariableReferenceExpression(Optional.empty(), key, BIGINT), SplitKeysTest.dataColumn(key));
        }
        Leaf leaf = new Leaf(columns, List.of(), List.of(), columns.keySet().stream().map(key -> new Projection(key, key)).toList(), Optional.of(
                List.of()));
        return FinerLeaves.of(LEAVES.of(leaf), leaf, leaf, groupings, TABLE, ENGINE, session);
    }

    /* Looks for the result of each split, as SplitLeaves does, and returns the processor time for one. */
    private double micros(FinerLeaves form, int finerResults)
    {
        long before = PROCESSOR.getCurrentThreadCpuTime();
        for (FileVersion file : files) {
            Function<Set<String>, SplitKey> key = columns -> keys.of(shared.copy(), split, layout, file, columns);
            boolean found = results.lookUpOnly(form.key(key.apply(form.partitionColumns())), () -> {
                List<FinerKey> finer = form.finer(key);
                if (finer.size() != finerResults) {
                    throw new IllegalStateException(finer.size() + " groupings may have finer results, expected " + finerResults);
                }
                return finer;
            }).isPresent();
            if (found) {
                throw new IllegalStateException("There is a result of " + file);
            }
        }
        return (PROCESSOR.getCurrentThreadCpuTime() - before) / NANOS_PER_MICRO / files.size();
    }
}
