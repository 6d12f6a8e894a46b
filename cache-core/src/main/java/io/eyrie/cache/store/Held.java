// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

/**
 * The pages of one scope and storage class in a store.
 *
 * @param bytes whole disk blocks, headers included
 */
public record Held(long pages, long bytes)
{
    public static final Held NOTHING = new Held(0, 0);

    public Held plus(Held other)
    {
        return new Held(pages + other.pages, bytes + other.bytes);
    }
}
