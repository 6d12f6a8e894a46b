package io.eyrie.presto.warm;

/**
 * What became of one split.
 *
 * @param foundBytes what had been in the cache
 * @param loadedBytes what was asked of the store
 * @param state {@code warm}, or why something of it is not kept
 */
record WarmedSplit(String nodeId, String path, long start, long length, long foundBytes, long loadedBytes, String state)
{}
