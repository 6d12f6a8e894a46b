// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import java.util.List;

import static io.eyrie.cli.console.Xml.escaped;

/** Writes a page as XML: escapes everything except {@link #raw}. Not thread-safe. */
final class Html
{
    private final StringBuilder page = new StringBuilder();

    void begin(String title)
    {
        raw("<!DOCTYPE html>");
        raw("<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">");
        raw("<head><meta charset=\"UTF-8\"/><title>" + escaped(title) + "</title><style>");
        raw("body { font-family: sans-serif; max-width: 1100px; margin: 2em auto; padding: 0 1em; color: #222; background: #fff; line-height: 1.4 }");
        raw("table { border-collapse: collapse; margin: 1em 0 } th, td { padding: 0.2em 0.7em; text-align: right; border-bottom: 1px solid #ddd }");
        raw("th:first-child, td:first-child { text-align: left } .no { color: #b00; font-weight: bold } svg { width: 100%; max-width: 900px; font-size: 11px }");
        raw("</style></head><body>");
        heading(1, title);
    }

    void heading(int level, String text)
    {
        raw("<h" + level + ">" + escaped(text) + "</h" + level + ">");
    }

    void paragraph(String text)
    {
        raw("<p>" + escaped(text) + "</p>");
    }

    /** Writes nothing if there are no items. */
    void list(List<String> items)
    {
        if (!items.isEmpty()) {
            raw("<ul>");
            items.forEach(item -> raw("<li>" + escaped(item) + "</li>"));
            raw("</ul>");
        }
    }

    void table(List<String> heads, List<List<String>> rows)
    {
        raw("<table><tr>");
        heads.forEach(head -> raw("<th>" + escaped(head) + "</th>"));
        raw("</tr>");
        for (List<String> row : rows) {
            raw("<tr>");
            row.forEach(cell -> raw((cell.equals("NO") ? "<td class=\"no\">" : "<td>") + escaped(cell) + "</td>"));
            raw("</tr>");
        }
        raw("</table>");
    }

    void raw(String xml)
    {
        page.append(xml).append('\n');
    }

    String end()
    {
        raw("</body></html>");
        return page.toString();
    }
}
