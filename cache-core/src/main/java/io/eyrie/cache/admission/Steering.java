// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.admission;

import io.eyrie.cache.file.Scope;

import java.util.List;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * An operator's settings for a running cache.
 *
 * @param rules whether tables are cached; they override the configured rules, and the first rule that matches a table applies
 * @param pins scopes whose pages are evicted only if the capacity, a quota or the free space of the disk shrinks, never to make room for others
 */
public record Steering(List<CachingRule> rules, Set<Scope> pins)
{
    public static final Steering NONE = new Steering(List.of(), Set.of());

    /** Whether tables are cached. */
    public record CachingRule(TablePattern tables, boolean allowed)
    {
        public CachingRule
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
