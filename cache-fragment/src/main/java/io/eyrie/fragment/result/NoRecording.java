// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import com.facebook.presto.common.Page;

import java.util.Optional;

/** A recorder that records nothing, because an earlier recording of the same result was abandoned for this reason. */
record NoRecording(Abandonment reason)
        implements ResultRecorder
{
    @Override
    public void add(Page page)
    {}

    @Override
    public void finish(Cost cost)
    {}

    @Override
    public Optional<Abandonment> abandonment()
    {
        return Optional.of(reason);
    }

    @Override
    public long retainedBytes()
    {
        return 0;
    }

    @Override
    public void close()
    {}
}
