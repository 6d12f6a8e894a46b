package io.eyrie.integration.generator;

import io.eyrie.integration.generator.DataType.Kind;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * A query and how its answers compare.
 *
 * @param template SQL in which {@link #ITEMS} and {@link #WHERE} stand for the items and the conjuncts
 * @param items what can be left out of the select list, all but one
 * @param conjuncts conditions that can be left out
 * @param equivalent another query with the same answer, a template too; empty if there is none
 * @param session the session's properties; a name that begins with a dot is of the catalog
 * @param compared what counts in the comparison of its answers
 * @param facts what the query is about
 */
record RandomQuery(
        Shape shape,
        String template,
        List<String> items,
        List<String> conjuncts,
        String equivalent,
        Map<String, String> session,
        Compared compared,
        Facts facts)
{
    static final String ITEMS = "{items}";
    static final String WHERE = "{where}";
    /** The conjuncts as one condition. */
    static final String CONDITION = "{condition}";

    enum Compared
    {
        /** A multiset of rows. */
        ROWS,
        /** Their order, too. */
        ORDERED_ROWS,
        /** A multiset, in which a negative zero is a positive one: which of several equal values stands for all depends on the order in which rows are met. */
        ROWS_WITHOUT_SIGN_OF_ZERO,
        /** Each run answers some of the rows of the equivalent query. */
        SUBSET
    }

    /** What the query is about. */
    record Facts(List<Table> tables, Set<Kind> kinds, Set<Feature> features)
    {
        Facts
        {
            tables = List.copyOf(tables);
            kinds = Set.copyOf(kinds);
            features = Set.copyOf(features);
        }
    }

    RandomQuery
    {
        requireNonNull(shape, "shape is null");
        requireNonNull(template, "template is null");
        items = List.copyOf(items);
        conjuncts = List.copyOf(conjuncts);
        requireNonNull(equivalent, "equivalent is null");
        session = Map.copyOf(session);
        requireNonNull(compared, "compared is null");
        requireNonNull(facts, "facts is null");
    }

    String sql()
    {
        return filled(template);
    }

    /** Another query with the same answer, or {@link #sql}. */
    String equivalentSql()
    {
        return filled(equivalent.isEmpty() ? template : equivalent);
    }

    private String filled(String text)
    {
        String condition = conjuncts.isEmpty() ? "true" : String.join(" AND ", conjuncts);
        return text.replace(ITEMS, String.join(", ", items)).replace(WHERE, conjuncts.isEmpty() ? "" : " WHERE " + condition).replace(CONDITION, "("
                + condition + ")");
    }

    RandomQuery withParts(List<String> newItems, List<String> newConjuncts)
    {
        return new RandomQuery(shape, template, newItems, newConjuncts, equivalent, session, compared, facts);
    }

    RandomQuery withSession(Map<String, String> newSession)
    {
        return new RandomQuery(shape, template, items, conjuncts, equivalent, newSession, compared, facts);
    }
}
