// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.FixedPageSource;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.HiveSplits;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Splits that are opened ahead are read in their order, once, and closed. */
class DimensionPagesTest
{
    private static final List<EyrieSplit> SPLITS = IntStream.range(0, 20)
            .mapToObj(i -> EyrieSplit.of(HiveSplits.soft("file-" + i), Optional.empty(), 0))
            .toList();

    private final List<Integer> opened = new ArrayList<>();
    private final List<Integer> closed = new ArrayList<>();
    private final List<Page> observed = new ArrayList<>();
    private final CountDownLatch opening = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    /* A split has two pages, with as many rows as its number plus one. */
    private ConnectorPageSource open(EyrieSplit split)
    {
        int number = SPLITS.indexOf(split);
        opened.add(number);
        return new FixedPageSource(List.of(new Page(number + 1), new Page(number + 1))) {
            @Override
            public void close()
            {
                closed.add(number);
            }
        };
    }

    private ConnectorPageSource openSlowly(EyrieSplit split)
    {
        opening.countDown();
        try {
            go.await();
        }
        catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return open(split);
    }

    private static List<Integer> rest(DimensionPages pages)
    {
        List<Integer> rows = new ArrayList<>();
        while (!pages.isFinished()) {
            Page page = pages.next();
            if (page != null) {
                rows.add(page.getPositionCount());
            }
        }
        return rows;
    }

    private static List<Integer> twice(int from, int to)
    {
        return IntStream.range(from, to).boxed().flatMap(number -> List.of(number + 1, number + 1).stream()).toList();
    }

    @Test
    void pagesComeInTheOrderOfTheSplits()
    {
        DimensionPages pages = new DimensionPages(SPLITS, this::open, observed::add);
        int ahead = 0;
        while (pages.openAhead()) {
            ahead++;
        }
        assertThat(ahead).as("splits that are open").isEqualTo(8);
        assertThat(observed).as("pages before they are taken").isEmpty();
        assertThat(rest(pages)).isEqualTo(twice(0, 20));
        assertThat(observed).hasSize(40);
        assertThat(pages.openAhead()).isFalse();
        assertThat(opened).isEqualTo(IntStream.range(0, 20).boxed().toList());
        assertThat(closed).isEqualTo(opened);
    }

    @Test
    void theNextPageWaitsForTheThreadThatReadsAhead()
            throws InterruptedException
    {
        DimensionPages pages = new DimensionPages(SPLITS.subList(0, 2), this::openSlowly, page -> {});
        CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(pages::openAhead);
        opening.await();
        CompletableFuture<?> blocked = pages.blocked();
        assertThat(blocked).isNotDone();
        assertThat(pages.next()).isNull();
        assertThat(pages.isFinished()).isFalse();
        go.countDown();
        assertThat(other.join()).isTrue();
        blocked.join();
        assertThat(rest(pages)).isEqualTo(twice(0, 2));
        assertThat(closed).containsExactly(0, 1);
    }

    @Test
    void aSplitThatCannotBeOpenedAheadIsOpenedAgain()
    {
        List<String> failures = new ArrayList<>(List.of("interrupted"));
        DimensionPages pages = new DimensionPages(SPLITS, split -> {
            if (!failures.isEmpty()) {
                throw new IllegalStateException(failures.remove(0));
            }
            return open(split);
        }, page -> {});
        assertThat(pages.openAhead()).isTrue();
        assertThat(rest(pages)).isEqualTo(twice(0, 20));
    }

    @Test
    void whatWasOpenedAheadIsClosed()
            throws InterruptedException
    {
        DimensionPages pages = new DimensionPages(SPLITS, split -> SPLITS.indexOf(split) == 1 ? openSlowly(split) : open(split), page -> {});
        pages.openAhead();
        CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(pages::openAhead);
        opening.await();
        pages.close();
        assertThat(closed).containsExactly(0);
        go.countDown();
        other.join();
        assertThat(closed).containsExactly(0, 1);
        assertThat(pages.openAhead()).isFalse();
        assertThat(pages.retainedBytes()).isZero();
    }
}
