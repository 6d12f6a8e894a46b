// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import com.amazonaws.services.s3.model.ListObjectsV2Result;
import com.amazonaws.services.s3.model.S3ObjectSummary;

import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/** The keys of a store that returns a few at a time. */
class TestingKeySource
        implements PageSource
{
    private final NavigableSet<String> keys = new TreeSet<>(KeyPage::compareKeys);
    private final int pageSize;
    private final AtomicInteger requests = new AtomicInteger();

    TestingKeySource(int pageSize, Collection<String> keys)
    {
        this.pageSize = pageSize;
        this.keys.addAll(keys);
    }

    @Override
    public Optional<KeyPage> fetch(String after)
    {
        requests.incrementAndGet();
        List<String> found = keys.tailSet(after, false).stream().limit(pageSize + 1).toList();
        boolean truncated = found.size() > pageSize;
        return Optional.of(KeyPage.checked("", after, answer(truncated ? found.subList(0, pageSize) : found, truncated)));
    }

    int requests()
    {
        return requests.get();
    }

    /* Without the marker of the directory itself, which is not a file. */
    List<String> under(String directory)
    {
        return keys.stream().filter(key -> key.startsWith(directory) && !key.equals(directory)).toList();
    }

    static ListObjectsV2Result answer(List<String> keys, boolean truncated)
    {
        ListObjectsV2Result answer = new ListObjectsV2Result();
        keys.forEach(key -> answer.getObjectSummaries().add(object(key)));
        answer.setTruncated(truncated);
        return answer;
    }

    static S3ObjectSummary object(String key)
    {
        S3ObjectSummary object = new S3ObjectSummary();
        object.setKey(key);
        object.setETag("tag of " + key);
        return object;
    }
}
