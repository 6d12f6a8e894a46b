// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.common.predicate.Range;
import com.facebook.presto.common.type.Type;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;

/** Derives which texts may lie between a minimum and a maximum of unknown order. Stateless. */
final class TextBounds
{
    /*
     * Orders  Texts are compared by their first different byte, and a text is less than those that it begins. A writer takes bytes as signed or as
     *         unsigned numbers. In the signed order, bytes of ASCII come after all others. Two bytes of ASCII, or two others, have the same order in both.
     * Rule    Let p be the common beginning of min and max. If the next byte of both is of ASCII, or of neither, append that of min to p for the lower
     *         bound, and that of max for the upper one. Then the lower bound takes the bytes of min up to the first that is not of ASCII, and the upper
     *         bound those of max up to the first that is. If this is all of max, it is the upper bound; otherwise all texts that begin so are within it.
     * Proof   Let min <= v <= max in the writer's order. If that is the unsigned order, the bounds hold because they begin min and max. Otherwise:
     *         - v begins with p, because a text that does not is less than both, or greater than both, in either order.
     *         - If the next bytes of min and max are of one kind, that of v lies between them, so it is of this kind, too: both orders agree on it.
     *         - If v >= min and v differs from the lower bound in a further byte, that of the bound is of ASCII. The byte of v is not less in the signed
     *           order, so it is of ASCII, and greater. v is not a beginning of the bound, which begins min, unless they are equal.
     *         - If v <= max and v differs from the upper bound in a further byte, that of the bound is not of ASCII. The byte of v is not greater in the
     *           signed order, so it is not of ASCII, and less. If v begins with all of max, it equals max.
     * Never narrower than from min to max in the unsigned order, because the bounds begin min and max.
     */
    private TextBounds()
    {}

    /**
     * Returns, in Presto's order, which is by unsigned bytes, a range that has each text between two others by unsigned bytes, and each by signed bytes.
     *
     * @param min not greater than {@code max} in Presto's order
     */
    static Range ofUnknownOrder(Type type, Slice min, Slice max)
    {
        int same = 0;
        while (same < min.length() && same < max.length() && min.getByte(same) == max.getByte(same)) {
            same++;
        }
        if (same < min.length() && same < max.length() && isAscii(min, same) == isAscii(max, same)) {
            same++;
        }
        int low = same;
        while (low < min.length() && isAscii(min, low)) {
            low++;
        }
        int high = same;
        while (high < max.length() && !isAscii(max, high)) {
            high++;
        }
        Slice least = min.slice(0, low);
        if (high == max.length()) {
            return Range.range(type, least, true, max, true);
        }
        Slice beyond = beyond(max.slice(0, high));
        return beyond.length() == 0 ? Range.greaterThanOrEqual(type, least) : Range.range(type, least, true, beyond, false);
    }

    private static boolean isAscii(Slice text, int index)
    {
        return text.getByte(index) >= 0;
    }

    /* Returns the least text that is greater than all that begin with the given one; empty if there is none. */
    private static Slice beyond(Slice beginning)
    {
        int length = beginning.length();
        while (length > 0 && beginning.getByte(length - 1) == (byte) 0xff) {
            length--;
        }
        Slice beyond = Slices.copyOf(beginning, 0, length);
        if (length > 0) {
            beyond.setByte(length - 1, beyond.getByte(length - 1) + 1);
        }
        return beyond;
    }
}
