// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import io.eyrie.fragment.key.FragmentKey;
import io.eyrie.fragment.leaf.LeafRun;

import java.util.function.Supplier;

/**
 * The key of a result of finer groups, from which a requested result can be computed.
 *
 * @param mostRows how many rows the finer result may have been computed from
 * @param merge creates a run over the finer result's pages; it returns no page before it is finished, and its pages exist when it is
 */
public record FinerKey(FragmentKey key, long mostRows, Supplier<LeafRun> merge)
{}
