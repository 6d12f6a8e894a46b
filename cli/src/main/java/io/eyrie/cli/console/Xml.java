// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.console;

/** Escapes text for XML. */
public final class Xml
{
    private Xml()
    {}

    /** Escapes text for content or an attribute; replaces characters that XML does not allow with question marks. */
    public static String escaped(String text)
    {
        return text.replaceAll("[^\\t\\n\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "?")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
