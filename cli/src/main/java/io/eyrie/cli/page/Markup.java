// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.page;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Writes well-formed XML, one element a line. Escapes texts and the values of attributes. Attributes are names and values in turn; a value of type
 * {@link Double} is written with one decimal. Not thread-safe.
 */
public final class Markup
{
    private final StringBuilder xml = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /** Begins an element that {@link #close} ends. */
    public Markup open(String name, Object... attributes)
    {
        open.push(name);
        tag(name, attributes).append(">\n");
        return this;
    }

    /** Ends the innermost open element. */
    public Markup close()
    {
        xml.append("</").append(open.pop()).append(">\n");
        return this;
    }

    /** Writes an element with a text. */
    public Markup text(String name, String text, Object... attributes)
    {
        tag(name, attributes).append('>').append(escaped(text)).append("</").append(name).append(">\n");
        return this;
    }

    /** Writes an element without content. */
    public Markup empty(String name, Object... attributes)
    {
        tag(name, attributes).append("/>\n");
        return this;
    }

    /** Writes other markup, in which every element is closed. */
    public Markup add(Markup other)
    {
        xml.append(other);
        return this;
    }

    private StringBuilder tag(String name, Object... attributes)
    {
        xml.append('<').append(name);
        for (int i = 0; i < attributes.length; i += 2) {
            Object value = attributes[i + 1];
            String text = value instanceof Double number ? String.format(Locale.ROOT, "%.1f", number) : value.toString();
            xml.append(' ').append(attributes[i]).append("=\"").append(escaped(text)).append('"');
        }
        return xml;
    }

    /* Replaces characters that XML does not allow with question marks. */
    private static String escaped(String text)
    {
        return text.replaceAll("[^\\t\\n\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "?")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** Returns the markup. */
    @Override
    public String toString()
    {
        return xml.toString();
    }
}
