package io.eyrie.cli.console;

/** Text in XML. */
public final class Xml
{
    private Xml()
    {}

    /** The text as content or attribute; what XML cannot hold at all becomes a question mark. */
    public static String escaped(String text)
    {
        return text.replaceAll("[^\\t\\n\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "?")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
