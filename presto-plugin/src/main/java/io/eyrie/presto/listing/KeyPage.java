package io.eyrie.presto.listing;

import com.amazonaws.services.s3.model.ListObjectsV2Result;
import com.amazonaws.services.s3.model.S3ObjectSummary;

import java.util.List;

import static java.lang.Character.isSurrogate;

/**
 * All objects under a prefix from some key on, in the order of their keys, as many as the store gives at once.
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
     * The answer to a request for the keys of {@code prefix} after {@code after}, checked: not every store knows {@code start-after}, or sorts.
     *
     * @throws IllegalStateException if the answer is none to that request
     */
    static KeyPage checked(String prefix, String after, ListObjectsV2Result answer)
    {
        String last = after;
        for (S3ObjectSummary object : answer.getObjectSummaries()) {
            String key = object.getKey();
            if (!key.startsWith(prefix) || compareKeys(key, last) <= 0) {
                throw new IllegalStateException("Asked for keys of " + prefix + " after " + last + ", the store gave " + key);
            }
            last = key;
        }
        if (answer.isTruncated() && last.equals(after)) {
            throw new IllegalStateException("Asked for keys of " + prefix + " after " + after + ", the store gave none and says that there are more");
        }
        return new KeyPage(answer.getObjectSummaries(), answer.isTruncated());
    }

    /** Whether all objects under {@code directory}, which must not lie before the page, are on it. */
    boolean endsAfter(String directory)
    {
        if (!truncated) {
            return true;
        }
        String end = objects.get(objects.size() - 1).getKey();
        return compareKeys(end, directory) > 0 && !end.startsWith(directory);
    }

    /** The objects under {@code directory}, in a list of their own, so that the page can be let go. */
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

    /** The order of S3, which is that of the bytes in UTF-8: Java's own, but for characters beyond the first 65,536. */
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
