// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.Page;
import com.google.common.collect.Iterators;
import io.eyrie.fragment.leaf.LeafRun;
import io.eyrie.fragment.result.ResultRecorder;

import java.util.Collections;
import java.util.Iterator;

import static java.util.Objects.requireNonNull;

/** Passes pages on unchanged, and records them. */
final class RecordedRun
        implements LeafRun
{
    private final ResultRecorder recorder;

    RecordedRun(ResultRecorder recorder)
    {
        this.recorder = requireNonNull(recorder, "recorder is null");
    }

    @Override
    public Iterator<Page> add(Page page)
    {
        recorder.add(page);
        return Iterators.singletonIterator(page);
    }

    @Override
    public Iterator<Page> finish()
    {
        return Collections.emptyIterator();
    }

    @Override
    public long retainedBytes()
    {
        return recorder.retainedBytes();
    }
}
