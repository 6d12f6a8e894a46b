// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.facebook.presto.common.RuntimeStats;
import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.FixedPageSource;
import io.eyrie.fragment.leaf.GroupPart;
import io.eyrie.fragment.leaf.JoinBuild;
import io.eyrie.fragment.leaf.JoinTable;
import io.eyrie.fragment.leaf.LeafCompiler;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.presto.handle.EyrieSplit;
import io.eyrie.presto.handle.JoinHandle;
import io.eyrie.presto.proxy.Proxies;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;

import static org.assertj.core.api.Assertions.assertThat;

/** The dimensions of a joined scan are read at the same time, also by a scan of one split. */
class JoinProgramTest
{
    private static final int ROWS = 10;

    private final RuntimeStats stats = new RuntimeStats();
    private final CountDownLatch secondOpened = new CountDownLatch(1);
    private final Queue<Integer> opened = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger built = new AtomicInteger();

    private final class CountingBuild
            implements JoinBuild
    {
        private final long bytes;

        CountingBuild(long bytes)
        {
            this.bytes = bytes;
        }

        @Override
        public void add(Page page)
        {
            built.addAndGet(page.getPositionCount());
        }

        @Override
        public long retainedBytes()
        {
            return bytes;
        }

        @Override
        public JoinTable finish()
        {
            return () -> {
                throw new AssertionError("not probed");
            };
        }
    }

    /* The first dimension has two splits, the second has one. */
    private JoinProgram program()
    {
        return program(SplitKeysMutationTest.joins().handle(), (method, arguments) -> {
            if (!method.equals("build")) {
                throw new UnsupportedOperationException(method);
            }
            return new CountingBuild(0);
        });
    }

    private static JoinProgram program(JoinHandle joins, BiFunction<String, Object[], Object> compiled)
    {
        LeafCompiler compiler = Proxies.of(LeafCompiler.class, (proxy, method, arguments) -> compiled.apply(method.getName(), arguments));
        return new JoinProgram(
                joins,
                Proxies.of(ConnectorSession.class, (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException(method.getName());
                }),
                new LeafEngine(compiler),
                new BuildMemory(100_000, 100_000, System::nanoTime),
                new JoinCounters(),
                input -> Optional.empty());
    }

    private ConnectorPageSource open(int input)
    {
        opened.add(input);
        open.incrementAndGet();
        return new FixedPageSource(List.of(new Page(ROWS), new Page(ROWS))) {
            @Override
            public void close()
            {
                open.decrementAndGet();
            }
        };
    }

    private ConnectorPageSource openTogether(int input, EyrieSplit split, boolean shared)
    {
        if (input == 2) {
            secondOpened.countDown();
        }
        else {
            try {
                assertThat(secondOpened.await(30, TimeUnit.SECONDS)).as("the second dimension is opened before the first has answered").isTrue();
            }
            catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return open(input);
    }

    @Test
    void aStreamedDimensionComputesOnlyTheGroupsOfABatch()
    {
        List<GroupPart> computed = new ArrayList<>();
        GroupPart batch = GroupPart.of(keys -> position -> false);
        LeafRun streamed = new JoinProgram.IdentityRun();
        JoinProgram program = program(SplitKeysMutationTest.joins().ofGroups(), (method, arguments) -> switch (method) {
            case "build" -> new CountingBuild(Long.MAX_VALUE);
            case "complete" -> (Function<GroupPart, LeafRun>) part -> {
                computed.add(part);
                return new JoinProgram.IdentityRun();
            };
            case "streamed" -> {
                assertThat(arguments[1]).as("the join's key is the key of the groups").isEqualTo(Map.of(0, 0));
                @SuppressWarnings("unchecked")
                Function<GroupPart, Iterator<Page>> read = (Function<GroupPart, Iterator<Page>>) arguments[2];
                read.apply(batch).forEachRemaining(page -> {});
                yield streamed;
            }
            default -> throw new UnsupportedOperationException(method);
        });
        program.acquire();
        DimensionReads.DimensionOpener opener = (input, split, shared) -> open(input);
        while (!program.isReady()) {
            program.advance(opener, stats).join();
        }
        assertThat(program.rows().runs(new DimensionReads(opener))).containsExactly(streamed);
        assertThat(computed).containsExactly(GroupPart.ALL, batch);
    }

    @Test
    void dimensionsAreReadTogether()
    {
        JoinProgram program = program();
        program.acquire();
        while (!program.isReady()) {
            program.advance(this::openTogether, stats).join();
        }
        assertThat(opened).as("each split once").containsExactlyInAnyOrder(1, 1, 2);
        assertThat(built).hasValue(3 * 2 * ROWS);
        assertThat(open).hasValue(0);
    }

    @Test
    void whatWasOpenedAheadIsClosedWithItsQuery()
            throws InterruptedException
    {
        JoinProgram program = program();
        program.acquire();
        program.build(2).readAhead((input, split, shared) -> {
            ConnectorPageSource source = open(input);
            secondOpened.countDown();
            return source;
        });
        assertThat(secondOpened.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(open).hasValue(1);
        program.release();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (open.get() > 0 && System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        assertThat(open).hasValue(0);
    }
}
