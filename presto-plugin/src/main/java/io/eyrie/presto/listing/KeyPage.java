// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.listing;

import com.amazonaws.services.s3.model.ListObjectsV2Result;
import com.amazonaws.services.s3.model.S3ObjectSummary;

import java.util.List;

import static java.lang.Character.isSurrogate;

/**
 * The objects under a prefix after some key, in the order of their keys, as many as the store returns in one response.
 *
 * @param truncated whether there are more
 */
record KeyPage(List<S3ObjectSummary> objects, boolean truncated)
{
    KeyPage
    {
        objects = List.copyOf(objects);
    }

    /**
     * Returns the page in the response to a request for the keys of {@code prefix} after {@code after}. Checks it, because not every store supports
     * {@code start-after} or sorts.
     *
     * @throws IllegalStateException if the response does not match that request
     */
    static KeyPage checked(String prefix, String after, ListObjectsV2Result answer)
    {
        String last = after;
        for (S3ObjectSummary object : answer.getObjectSummaries()) {
            String key = object.getKey();
            if (!key.startsWith(prefix) || compareKeys(key, last) <= 0) {
                throw new IllegalStateException("Requested keys of " + prefix + " after " + last + ", but the store returned " + key);
            }
            last = key;
        }
        if (answer.isTruncated() && last.equals(after)) {
            throw new IllegalStateException("Requested keys of " + prefix + " after " + after + ", but got a truncated page without keys");
        }
        return new KeyPage(answer.getObjectSummaries(), answer.isTruncated());
    }

    /** Returns whether the page has all objects under {@code directory}, which must not lie before the page. */
    boolean endsAfter(String directory)
    {
        if (!truncated) {
            return true;
        }
        String end = objects.get(objects.size() - 1).getKey();
        return compareKeys(end, directory) > 0 && !end.startsWith(directory);
    }

    /** Returns a copy of the objects under {@code directory}, which does not retain the page. */
    List<S3ObjectSummary> under(String directory)
    {
        int from = indexOf(directory);
        int to = from;
        while (to < objects.size() && objects.get(to).getKey().startsWith(directory)) {
            to++;
        }
        return List.copyOf(objects.subList(from, to));
    }

    private int indexOf(String key)
    {
        int low = 0;
        int high = objects.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compareKeys(objects.get(middle).getKey(), key) < 0) {
                low = middle + 1;
            }
            else {
                high = middle;
            }
        }
        return low;
    }

    /** Compares keys as S3 does, by their bytes in UTF-8. This differs from Java's order only for characters beyond the first 65,536. */
    static int compareKeys(String one, String other)
    {
        int shorter = Math.min(one.length(), other.length());
        for (int i = 0; i < shorter; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                return isSurrogate(a) == isSurrogate(b) ? Character.compare(a, b) : Boolean.compare(isSurrogate(a), isSurrogate(b));
            }
        }
        return Integer.compare(one.length(), other.length());
    }
}
