// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.link;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts and records requests and their responses. Thread-safe. */
final class LinkLedger
{
    private static final int SUCCESS = 2;

    /** A request that is being served. */
    final class Entry
    {
        private final LinkRequest request;
        private int status;
        private long responseBytes;

        private Entry(LinkRequest request)
        {
            this.request = request;
        }

        void answered(int newStatus)
        {
            synchronized (LinkLedger.this) {
                status = newStatus;
            }
        }

        void passed(int bytes)
        {
            synchronized (LinkLedger.this) {
                responseBytes += bytes;
                if (status / 100 == SUCCESS) {
                    successBytes.merge(request.kind(), (long) bytes, Long::sum);
                }
            }
        }
    }

    private final Map<RequestKind, Long> requests = new EnumMap<>(RequestKind.class);
    private final Map<RequestKind, Long> successBytes = new EnumMap<>(RequestKind.class);
    private final List<Entry> recorded = new ArrayList<>();
    private boolean recording;

    synchronized Entry arrived(LinkRequest request)
    {
        Entry entry = new Entry(request);
        requests.merge(request.kind(), 1L, Long::sum);
        if (recording) {
            recorded.add(entry);
        }
        return entry;
    }

    synchronized LinkCounts counts()
    {
        Map<RequestKind, LinkCounts.Count> counts = new EnumMap<>(RequestKind.class);
        for (RequestKind kind : RequestKind.values()) {
            counts.put(kind, new LinkCounts.Count(requests.getOrDefault(kind, 0L), successBytes.getOrDefault(kind, 0L)));
        }
        return new LinkCounts(counts);
    }

    synchronized void startRecording()
    {
        recorded.clear();
        recording = true;
    }

    synchronized List<RecordedRequest> stopRecording()
    {
        recording = false;
        List<RecordedRequest> requestsSoFar = recorded.stream()
                .map(entry -> new RecordedRequest(entry.request, entry.status, entry.responseBytes))
                .toList();
        recorded.clear();
        return requestsSoFar;
    }
}
