// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

/**
 * A split to be placed on a node.
 *
 * @param key its key, from {@link SectionKeys}
 * @param offsetBytes where it begins in its file; orders the splits of one key
 * @param weightBytes its cost for the node, in any unit that the query's splits share; 0 counts as 1
 */
public record SplitRequest(long key, long offsetBytes, long weightBytes)
{
    public SplitRequest
    {
        if (offsetBytes < 0 || weightBytes < 0) {
            throw new IllegalArgumentException("negative offset or weight: " + offsetBytes + ", " + weightBytes);
        }
    }
}
