package io.eyrie.affinity.placement;

/**
 * How evenly a query's splits are spread. Evenness costs locality: a split that leaves its key's own node is stored twice if another
 * query finds that node free.
 *
 * @param epsilon by how much a node's load may exceed its share of the query's load so far, above 0
 * @param smallKeysPerNode up to so many keys a node, a query's keys are dealt out evenly by count: no node is asked for two of five files while another has
 *         none; 0 deals out none
 * @param gatheredSplitsPerNode so many splits a node are worth waiting for, to be placed as one set whatever their order; from 1
 * @param maxGatheredSplits no more than so many are gathered in all, from 1
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
