// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.page;

import java.util.ArrayList;
import java.util.List;

/** Records the notifications that it receives. Thread-safe. */
final class RecordingListener
        implements ReadListener
{
    private final List<String> heard = new ArrayList<>();

    @Override
    public synchronized void onCacheRead(int pages, long bytes, long nanos)
    {
        heard.add("cache " + bytes + (nanos < 0 ? " in negative time" : ""));
    }

    @Override
    public synchronized void onRemoteRead(long bytes, long nanos)
    {
        heard.add("remote " + bytes + (nanos < 0 ? " in negative time" : ""));
    }

    synchronized List<String> take()
    {
        List<String> taken = List.copyOf(heard);
        heard.clear();
        return taken;
    }
}
