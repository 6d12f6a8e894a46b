package io.eyrie.affinity.placement;

import java.util.List;

/**
 * Where a split goes.
 *
 * @param nodes the nodes that may keep what they read of it: the chosen one first, then its key's own node if that is another and is
 *         there. Empty only if no node is
 * @param reason why the first was chosen
 */
public record Decision(List<Node> nodes, Reason reason)
{
    /** Why a node was chosen. */
    public enum Reason
    {
        /** The key is the node's own. */
        OWNER,
        /** The key's own node had its part of this query's load; the split goes to the key's next candidate with room. */
        OVERFLOW,
        /** The key's own node is away for less than the grace period; it should be read here, and not be kept. */
        STAND_IN,
        /** There is no node. */
        NOWHERE
    }

    static final Decision OF_NO_NODE = new Decision(List.of(), Reason.NOWHERE);

    public Decision
    {
        nodes = List.copyOf(nodes);
    }

    /** Whether the nodes should keep what they read. */
    public boolean isKept()
    {
        return reason == Reason.OWNER || reason == Reason.OVERFLOW;
    }
}
