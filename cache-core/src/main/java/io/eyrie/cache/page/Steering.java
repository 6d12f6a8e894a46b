package io.eyrie.cache.page;

import io.eyrie.cache.admission.TablePattern;
import io.eyrie.cache.file.Scope;

import java.util.List;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * What an operator tells a running cache.
 *
 * @param rules whether tables are kept, whatever the configuration's rules say; the first that names a table counts
 * @param pins scopes whose pages make no room for others: they leave when the capacity itself shrinks, or the disk
 */
public record Steering(List<Rule> rules, Set<Scope> pins)
{
    public static final Steering NONE = new Steering(List.of(), Set.of());

    /** Whether tables are kept. */
    public record Rule(TablePattern tables, boolean allowed)
    {
        public Rule
        {
            requireNonNull(tables, "tables is null");
        }
    }

    public Steering
    {
        rules = List.copyOf(rules);
        pins = Set.copyOf(pins);
    }
}
