// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

/**
 * The pages of one scope and storage class in a store.
 *
 * @param bytes whole disk blocks, headers included
 */
public record ScopeUsage(long pages, long bytes)
{
    public static final ScopeUsage NOTHING = new ScopeUsage(0, 0);

    public ScopeUsage plus(ScopeUsage other)
    {
        return new ScopeUsage(pages + other.pages, bytes + other.bytes);
    }
}
