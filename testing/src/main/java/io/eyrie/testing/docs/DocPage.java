// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.docs;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.util.Objects.requireNonNull;

/**
 * The commands of a Markdown page, in order.
 *
 * @param name the page's file name
 * @param blocks its fenced blocks
 * @param inlineSql the statements in its text, in backticks
 */
public record DocPage(String name, List<DocBlock> blocks, List<String> inlineSql)
{
    /** The language of blocks of SQL. */
    public static final String SQL = "sql";
    /** The language of blocks of a shell. */
    public static final String SHELL = "shell";
    /** The language of blocks of properties. */
    public static final String PROPERTIES = "properties";

    private static final String OUTPUT = "text";
    private static final Pattern FENCE = Pattern.compile("^( *)```(\\S*)\\s*$");
    // an ellipsis abbreviates a statement
    private static final Pattern INLINE_SQL = Pattern.compile("`((?:CALL|SELECT|SET SESSION)\\s[^`…]+)`");
    private static final Pattern NOT_RUN = Pattern.compile("<!--\\s*not run\\b:?(.*?)-->", Pattern.DOTALL);

    public DocPage
    {
        requireNonNull(name, "name is null");
        blocks = List.copyOf(blocks);
        inlineSql = List.copyOf(inlineSql);
    }

    /** Reads a page. */
    public static DocPage read(Path page)
    {
        try {
            return parse(page.getFileName().toString(), Files.readAllLines(page));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static DocPage parse(String name, List<String> lines)
    {
        List<DocBlock> blocks = new ArrayList<>();
        List<String> inlineSql = new ArrayList<>();
        StringBuilder between = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (!fence.matches()) {
                between.append(lines.get(i)).append('\n');
                INLINE_SQL.matcher(lines.get(i)).results().forEach(statement -> inlineSql.add(statement.group(1)));
                continue;
            }
            int opening = i;
            List<String> text = new ArrayList<>();
            for (i++; i < lines.size() && !lines.get(i).strip().equals("```"); i++) {
                text.add(withoutIndentation(lines.get(i), fence.group(1)));
            }
            if (i == lines.size()) {
                throw new IllegalArgumentException(name + ", line " + (opening + 1) + ": the block does not end");
            }
            DocBlock block = new DocBlock(opening + 1, fence.group(2), String.join("\n", text), reason(between), Optional.empty());
            if (block.language().equals(OUTPUT) && between.toString().isBlank() && !blocks.isEmpty()) {
                blocks.set(blocks.size() - 1, blocks.get(blocks.size() - 1).withOutput(block.text()));
            }
            else {
                blocks.add(block);
            }
            between.setLength(0);
        }
        return new DocPage(name, blocks, inlineSql);
    }

    /** Returns the properties of the first block that is a complete catalog file. */
    public Map<String, String> catalog()
    {
        return blocks.stream()
                .filter(block -> block.language().equals(PROPERTIES) && block.text().contains("connector.name="))
                .findFirst()
                .map(DocPage::properties)
                .orElseThrow(() -> new IllegalStateException(name + " has no block with a catalog file"));
    }

    /** Returns the properties of a block, as Java reads a file of them. */
    public static Map<String, String> properties(DocBlock block)
    {
        Properties parsed = new Properties();
        try {
            parsed.load(new StringReader(block.text()));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> properties = new TreeMap<>();
        parsed.stringPropertyNames().forEach(key -> properties.put(key, parsed.getProperty(key)));
        return properties;
    }

    /* A comment counts if nothing but blank lines stands between it and the block. */
    private static Optional<String> reason(CharSequence between)
    {
        String text = between.toString().strip();
        if (!text.endsWith("-->")) {
            return Optional.empty();
        }
        Matcher comment = NOT_RUN.matcher(text.substring(text.lastIndexOf("<!--")));
        return comment.matches() ? Optional.of(comment.group(1).strip()) : Optional.empty();
    }

    private static String withoutIndentation(String line, String indentation)
    {
        return line.startsWith(indentation) ? line.substring(indentation.length()) : line.stripLeading();
    }
}
