// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

/**
 * How evenly a query's splits are spread. Evenness costs locality: a split that leaves its key's own node is cached twice if another query finds that node
 * free.
 *
 * @param epsilon by how much a node's load may exceed its share of the query's load so far; above 0
 * @param smallKeysPerNode with up to this many keys a node, a query's keys are distributed evenly by count, so that no node reads two of five files while
 *         another reads none; 0 disables this
 * @param gatheredSplitsPerNode how many splits a node are worth waiting for, to be placed as one set whatever their order; from 1
 * @param maxGatheredSplits maximum number of gathered splits in all; from 1
 */
public record LoadBound(double epsilon, int smallKeysPerNode, int gatheredSplitsPerNode, int maxGatheredSplits)
{
    public static final LoadBound DEFAULT = new LoadBound(0.1, 4, 256, 16_384);

    public LoadBound
    {
        if (!(epsilon > 0 && epsilon < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("epsilon must be above 0, is " + epsilon);
        }
        if (smallKeysPerNode < 0) {
            throw new IllegalArgumentException("smallKeysPerNode must be at least 0, is " + smallKeysPerNode);
        }
        if (gatheredSplitsPerNode < 1 || maxGatheredSplits < 1) {
            throw new IllegalArgumentException("gatheredSplitsPerNode and maxGatheredSplits must be at least 1, are " + gatheredSplitsPerNode
                    + " and " + maxGatheredSplits);
        }
    }
}
