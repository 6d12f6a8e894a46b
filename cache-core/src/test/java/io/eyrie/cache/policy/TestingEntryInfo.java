// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.policy;

/** Entries of different weights whose content is their number. */
final class TestingEntryInfo
        implements EvictionPolicy.EntryInfo
{
    @Override
    public long hash(int entry)
    {
        return entry * 0x9E3779B97F4A7C15L;
    }

    @Override
    public int weightBytes(int entry)
    {
        return weight(entry);
    }

    static int weight(int entry)
    {
        return 1000 + entry % 3;
    }
}
