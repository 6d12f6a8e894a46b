// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.affinity;

import com.facebook.airlift.json.JsonCodec;
import com.facebook.presto.hive.HiveSplit;
import com.facebook.presto.hive.HiveStorageFormat;
import com.facebook.presto.spi.ConnectorSplit;
import com.facebook.presto.spi.HostAddress;
import com.facebook.presto.spi.SplitWeight;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.HiveSplits;
import io.eyrie.presto.handle.SplitPlace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class SplitPackerTest
{
    private static final JsonCodec<EyrieSplit> CODEC = JsonCodec.jsonCodec(EyrieSplit.class);
    private static final int LEAST = 8;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void splitIsLostOrReadTwice(long seed)
    {
        Random random = new Random(seed);
        int nodes = 1 + random.nextInt(5);
        int most = 1 + random.nextInt(40);
        SplitPacker packer = new SplitPacker(LEAST, most * HiveSplits.LENGTH, false);
        List<String> offered = new ArrayList<>();
        List<String> packed = new ArrayList<>();
        for (int batch = 0; batch < 8; batch++) {
            List<ConnectorSplit> splits = new ArrayList<>();
            for (int i = random.nextInt(200); i > 0; i--) {
                splits.add(placed("part-" + offered.size(), random.nextInt(nodes)));
                offered.add("part-" + offered.size());
            }
            for (ConnectorSplit pack : packer.pack(splits)) {
                List<HiveSplit> pieces = EyrieSplit.pieces(pack);
                pieces.forEach(piece -> packed.add(path(piece)));
                assertThat(pieces).hasSizeLessThanOrEqualTo(Math.min(SplitPacker.MOST, most));
                assertThat(pieces).extracting(piece -> ((EyrieSplit) piece).getPlace()).containsOnly(((EyrieSplit) pack).getPlace());
            }
        }
        assertThat(packed).containsExactlyInAnyOrderElementsOf(offered);
    }

    @Test
    void workerHasLessSplitsThanItRunsAtATime()
    {
        SplitPacker packer = new SplitPacker(LEAST, Long.MAX_VALUE, false);
        for (int files = 0; files < 200; files++) {
            List<ConnectorSplit> splits = IntStream.range(0, files).<ConnectorSplit>mapToObj(i -> placed("part-" + i, 0)).toList();
            assertThat(new SplitPacker(LEAST, Long.MAX_VALUE, false).pack(splits)).hasSize(files < 2 * LEAST ? files : LEAST);
        }
        // one at a time, as from a slow listing
        List<Integer> sizes = IntStream.range(0, 100).mapToObj(i -> packer.pack(List.of(placed("part-" + i, 0))).size()).toList();
        assertThat(sizes).containsOnly(1);
    }

    @Test
    void longScanIsSentInPacksOfAny()
    {
        SplitPacker packer = new SplitPacker(LEAST, Long.MAX_VALUE, false);
        List<Integer> packs = IntStream.range(0, 5)
                .mapToObj(batch -> packer.pack(IntStream.range(0, 1000).<ConnectorSplit>mapToObj(i -> placed(batch + "-" + i, i % 2)).toList())
                        .size())
                .toList();
        assertThat(packs).containsOnly(2 * 2 * LEAST);
    }

    /* The engine gives a worker splits of a certain weight, so few heavy packs would occupy few of its threads. */
    @Test
    void packIsHeavierThanASplit()
    {
        List<ConnectorSplit> splits = IntStream.range(0, 1000).<ConnectorSplit>mapToObj(i -> placed("part-" + i, 0)).toList();
        List<ConnectorSplit> packs = new SplitPacker(LEAST, Long.MAX_VALUE, false).pack(splits);
        assertThat(packs).hasSizeLessThan(100).extracting(ConnectorSplit::getSplitWeight).containsOnly(SplitWeight.standard());
    }

    @Test
    void batchesOfALargeClusterAreTooSmallToPack()
    {
        SplitPacker packer = new SplitPacker(LEAST, Long.MAX_VALUE, false);
        List<Integer> packs = IntStream.range(0, 9)
                .mapToObj(batch -> packer.pack(IntStream.range(0, 6).<ConnectorSplit>mapToObj(i -> placed(batch + "-" + i, 0)).toList()).size())
                .toList();
        assertThat(packs).containsExactly(6, 6, 3, 2, 2, 2, 2, 1, 1);
    }

    @Test
    void neighboursOfAListingComeInOnePack()
    {
        SplitPacker packer = new SplitPacker(LEAST, Long.MAX_VALUE, false);
        List<ConnectorSplit> packs = packer.pack(IntStream.range(0, 16).<ConnectorSplit>mapToObj(i -> placed("part-" + i, 0)).toList());
        assertThat(packs).hasSize(LEAST);
        assertThat(EyrieSplit.pieces(packs.get(0))).extracting(SplitPackerTest::path).containsExactly("part-0", "part-8");
    }

    @Test
    void rowsThatTheEngineReadsByACursorAreReadByPages()
    {
        List<ConnectorSplit> text = IntStream.range(0, 40).<ConnectorSplit>mapToObj(i -> placed(HiveSplits.of("part-" + i,
                HiveStorageFormat.TEXTFILE),
                0)).toList();
        assertThat(new SplitPacker(LEAST, Long.MAX_VALUE, false).pack(text)).isEqualTo(text);
        assertThat(new SplitPacker(LEAST, Long.MAX_VALUE, true).pack(text)).hasSize(LEAST);
    }

    @Test
    void splitsWithoutAPlaceArePacked()
    {
        List<ConnectorSplit> unplaced = IntStream.range(0, 40)
                .<ConnectorSplit>mapToObj(i -> EyrieSplit.of(HiveSplits.soft("part-" + i), Optional.empty(), 0))
                .toList();
        assertThat(new SplitPacker(LEAST, Long.MAX_VALUE, true).pack(unplaced)).isEqualTo(unplaced);
    }

    @Test
    void pieceIsLostOnTheWayToTheWorker()
    {
        List<EyrieSplit> splits = IntStream.range(0, 3).mapToObj(i -> placed("part-" + i, i)).toList();
        EyrieSplit pack = EyrieSplit.packed(splits);
        EyrieSplit arrived = CODEC.fromJson(CODEC.toJsonBytes(pack));
        assertThat(arrived).usingRecursiveComparison().isEqualTo(pack);
        // except the weight, which only the engine uses, before it sends the split
        assertThat(EyrieSplit.pieces(arrived)).usingRecursiveComparison().ignoringFields("splitWeight").isEqualTo(splits);
        assertThat(EyrieSplit.pieces(arrived)).noneMatch(piece -> !((EyrieSplit) piece).getCarried().isEmpty());
        assertThat(EyrieSplit.packed(splits.subList(0, 2)).getSplitWeight()).isEqualTo(SplitWeight.fromProportion(1));
        assertThat(pack.getSplitSizeInBytes()).hasValue(3 * HiveSplits.LENGTH);
        assertThat(pack.getPreferredNodes(key -> List.of())).isEqualTo(splits.get(0).getPreferredNodes(key -> List.of()));
    }

    @Test
    void engineTakesAPackForItsFirstSplit()
    {
        EyrieSplit one = placed("part-1", 0);
        EyrieSplit two = placed("part-2", 0);
        EyrieSplit three = placed("part-3", 0);
        assertThat(List.of(one, EyrieSplit.packed(List.of(one, two)), EyrieSplit.packed(List.of(one, three)))).extracting(
                EyrieSplit::getSplitIdentifier).doesNotHaveDuplicates();
    }

    @Test
    void nodesOfOneScanShareTheirCount()
    {
        List<ConnectorSplit> splits = IntStream.range(0, 4 * LEAST).<ConnectorSplit>mapToObj(i -> placed("part-" + i, i % 4)).toList();
        Map<Object, Long> packs = new SplitPacker(LEAST, Long.MAX_VALUE, false).pack(splits)
                .stream()
                .collect(Collectors.groupingBy(split -> ((EyrieSplit) split).getPlace().orElseThrow().preferred(), Collectors.counting()));
        assertThat(packs.values()).hasSize(4).containsOnly((long) LEAST);
    }

    private static EyrieSplit placed(String path, int node)
    {
        return placed(HiveSplits.soft(path), node);
    }

    private static EyrieSplit placed(HiveSplit split, int node)
    {
        return EyrieSplit.of(split, Optional.of(new SplitPlace(List.of(HostAddress.fromParts("node-" + node, 8080)), List.of("node-" + node))),
                3);
    }

    private static String path(HiveSplit split)
    {
        return split.getFileSplit().getPath();
    }
}
