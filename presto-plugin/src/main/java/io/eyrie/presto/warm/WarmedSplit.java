// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.warm;

/**
 * The outcome for one split.
 *
 * @param foundBytes bytes that were already in the cache
 * @param loadedBytes bytes that were requested from the store
 * @param state {@code warm}, or why some of it is not cached
 */
record WarmedSplit(String nodeId, String path, long start, long length, long foundBytes, long loadedBytes, String state)
{}
