// SPDX-License-Identifier: Apache-2.0
package io.eyrie.suites;

import com.facebook.presto.Session;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.testing.ExpectedQueryRunner;
import com.facebook.presto.testing.MaterializedResult;
import com.facebook.presto.tests.DistributedQueryRunner;
import com.facebook.presto.tests.ResultWithQueryId;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import static java.util.Objects.requireNonNull;

/** A small cluster in this process that reports each statement before it runs it. */
final class RecordingQueryRunner
        extends DistributedQueryRunner
{
    private final BiConsumer<Session, String> recorder;
    private volatile @Nullable MaterializedResult last;

    /** @param recorder called on the thread that sends the statement */
    @SuppressWarnings("deprecation") // the builder cannot create a subclass
    RecordingQueryRunner(Session session, Map<String, String> properties, BiConsumer<Session, String> recorder)
            throws Exception
    {
        super(session, 1, properties);
        this.recorder = requireNonNull(recorder, "recorder is null");
    }

    @Override
    public MaterializedResult execute(int coordinator, String sql)
    {
        return execute(coordinator, getDefaultSession(), sql);
    }

    @Override
    public MaterializedResult execute(int coordinator, Session session, String sql)
    {
        recorder.accept(session, sql);
        MaterializedResult result = super.execute(coordinator, session, sql);
        last = result;
        return result;
    }

    @Override
    public ResultWithQueryId<MaterializedResult> executeWithQueryId(int coordinator, Session session, String sql)
    {
        recorder.accept(session, sql);
        ResultWithQueryId<MaterializedResult> result = super.executeWithQueryId(coordinator, session, sql);
        last = result.getResult();
        return result;
    }

    /** Returns a runner that expects the answer of the last statement. No answer is wrong then, and a test continues with its next statement. */
    ExpectedQueryRunner echo()
    {
        return new ExpectedQueryRunner() {
            @Override
            public MaterializedResult execute(Session session, String sql, List<? extends Type> types)
            {
                return requireNonNull(last, "no statement has run").toTestTypes();
            }

            @Override
            public void close()
            {}
        };
    }
}
