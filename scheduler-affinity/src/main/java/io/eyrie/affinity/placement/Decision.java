// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import java.util.List;

/**
 * The placement of a split.
 *
 * @param nodes the nodes that may cache the split's data if {@link #isKept}: the chosen one, then its key's own node if that is another one and is active.
 *         Empty only if there is no node
 * @param reason why the first was chosen
 */
public record Decision(List<Node> nodes, Reason reason)
{
    /** Why a node was chosen. */
    public enum Reason
    {
        /** The node owns the key. */
        OWNER,
        /** The key's own node has reached its share of this query's load, so the split goes to the key's next candidate with room. */
        OVERFLOW,
        /** The key's own node has been away for less than the grace period. This node should read the split and not cache it. */
        STAND_IN,
        /** There is no node. */
        NOWHERE
    }

    static final Decision OF_NO_NODE = new Decision(List.of(), Reason.NOWHERE);

    public Decision
    {
        nodes = List.copyOf(nodes);
    }

    /** Whether the nodes should cache what they read. */
    public boolean isKept()
    {
        return reason == Reason.OWNER || reason == Reason.OVERFLOW;
    }
}
