// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.docs;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * A fenced block of a Markdown page.
 *
 * @param line the line of the opening fence, from 1
 * @param language the word after the fence, or an empty string
 * @param text the lines between the fences, without the indentation of the fence
 * @param notRun the reason of the comment {@code <!-- not run: reason -->} before the block, empty if the comment gives none; not present without such a
 *         comment
 * @param output the text of the block of the language {@code text} that follows at once: what the block prints
 */
public record DocBlock(int line, String language, String text, Optional<String> notRun, Optional<String> output)
{
    public DocBlock
    {
        requireNonNull(language, "language is null");
        requireNonNull(text, "text is null");
        requireNonNull(notRun, "notRun is null");
        requireNonNull(output, "output is null");
    }

    DocBlock withOutput(String printed)
    {
        return new DocBlock(line, language, text, notRun, Optional.of(printed));
    }
}
