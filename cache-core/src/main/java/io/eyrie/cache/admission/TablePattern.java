// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.admission;

import io.eyrie.cache.file.Scope;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/** Matches tables by name: {@code catalog.schema.table}, where {@code *} matches any characters within one of the three parts. Case is ignored. */
public final class TablePattern
{
    private final String text;
    private final Pattern catalog;
    private final Pattern schema;
    private final Pattern table;

    private TablePattern(String text, Pattern catalog, Pattern schema, Pattern table)
    {
        this.text = text;
        this.catalog = catalog;
        this.schema = schema;
        this.table = table;
    }

    /**
     * Parses a pattern.
     *
     * @throws IllegalArgumentException if it does not have three nonempty parts; the message describes the form of a pattern
     */
    public static TablePattern parse(String text)
    {
        requireNonNull(text, "text is null");
        String[] parts = text.strip().split("\\.", -1);
        if (parts.length != 3 || Stream.of(parts).anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("'" + text + "' is not a table pattern: use catalog.schema.table, * for any, such as hive.web.*");
        }
        return new TablePattern(text.strip(), part(parts[0]), part(parts[1]), part(parts[2]));
    }

    /** Whether the table of a scope matches. An unknown part of a scope matches only {@code *}. */
    public boolean matches(Scope scope)
    {
        return catalog.matcher(scope.catalog()).matches()
                && schema.matcher(scope.schema()).matches()
                && table.matcher(scope.table()).matches();
    }

    @Override
    public String toString()
    {
        return text;
    }

    private static Pattern part(String part)
    {
        String regex = Stream.of(part.strip().split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL);
    }
}
