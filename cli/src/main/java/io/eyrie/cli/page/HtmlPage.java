// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.page;

import java.util.List;

/** A page for a browser: one file of well-formed XML. Not thread-safe. */
public final class HtmlPage
{
    private static final String STYLE = """
            body { font-family: sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; color: #222; background: #fff; line-height: 1.4 }
            table { border-collapse: collapse; margin: 1em 0 }
            th, td { padding: 0.2em 0.7em; text-align: right; border-bottom: 1px solid #ddd }
            th:first-child, td:first-child { text-align: left }
            summary { cursor: pointer }
            .no { color: #b00; font-weight: bold }
            svg { max-width: 100%; margin-bottom: 1em }
            """;

    private final Markup html = new Markup();

    /** Begins a page. */
    public HtmlPage(String title)
    {
        html.open("html", "xmlns", "http://www.w3.org/1999/xhtml", "lang", "en")
                .open("head")
                .empty("meta", "charset", "UTF-8")
                .text("title", title)
                .text("style", STYLE)
                .close()
                .open("body");
        heading(1, title);
    }

    /** Writes a heading; level 1 is the page's. */
    public void heading(int level, String text)
    {
        html.text("h" + level, text);
    }

    /** Writes a paragraph. */
    public void paragraph(String text)
    {
        html.text("p", text);
    }

    /** Writes a list; nothing if there are no items. */
    public void list(List<String> items)
    {
        if (!items.isEmpty()) {
            html.open("ul");
            items.forEach(item -> html.text("li", item));
            html.close();
        }
    }

    /** Writes a list that the reader unfolds; nothing if there are no items. */
    public void folded(String summary, List<String> items)
    {
        if (!items.isEmpty()) {
            html.open("details").text("summary", summary);
            list(items);
            html.close();
        }
    }

    /** Writes a table. A cell that is {@code NO} is red. */
    public void table(List<String> heads, List<List<String>> rows)
    {
        html.open("table").open("tr");
        heads.forEach(head -> html.text("th", head));
        html.close();
        for (List<String> row : rows) {
            html.open("tr");
            row.forEach(cell -> html.text("td", cell, cell.equals("NO") ? new Object[] {"class", "no"} : new Object[0]));
            html.close();
        }
        html.close();
    }

    /** Writes a chart. */
    public void chart(Markup svg)
    {
        html.add(svg);
    }

    /** Ends the page and returns it. */
    public String end()
    {
        return "<!DOCTYPE html>\n" + html.close().close();
    }
}
