// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.eyrie.cache.file.Scope;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * The effect of all commands that operators have given to the caches of a catalog so far.
 *
 * @param origin identifies the coordinator, or the coordinators that share a file
 * @param epoch increases with each change, across all origins as far as their clocks agree
 * @param invalidations the invalidated targets with their epochs; oldest first
 * @param pins targets that are not evicted to make room for others
 * @param rules which tables are cached and which are not; the first that matches a table applies
 * @param quotas bounds on the bytes of targets
 * @param capacityBytes replaces the configured capacity; null to use that
 * @param traceUntilMillis until when lookups are recorded, in milliseconds since 1970; 0 if they are not
 */
public record ControlState(
        @JsonProperty("origin") String origin,
        @JsonProperty("epoch") long epoch,
        @JsonProperty("invalidations") List<Invalidation> invalidations,
        @JsonProperty("pins") List<Target> pins,
        @JsonProperty("rules") List<Rule> rules,
        @JsonProperty("quotas") List<Quota> quotas,
        @JsonProperty("capacityBytes") @Nullable Long capacityBytes,
        @JsonProperty("traceUntilMillis") long traceUntilMillis)
{
    static final int MOST_INVALIDATIONS = 200;
    static final int MOST_STEERED = 500;
    private static final int MOST_NAMED = 10;
    static final int MOST_CHARACTERS = 32 << 10;
    /** Maximum length of {@link PackedState}'s text for the invalidations, and for all other commands. */
    public static final int MOST_PACKED_BYTES = 4 << 10;
    private static final List<UnaryOperator<Target>> WIDER = List.of(
            target -> new Target(target.schema(), target.table(), ""),
            target -> new Target(target.schema(), "", ""),
            target -> new Target("", "", ""));

    @JsonCreator
    public ControlState
    {
        requireNonNull(origin, "origin is null");
        invalidations = List.copyOf(invalidations);
        pins = List.copyOf(pins);
        rules = List.copyOf(rules);
        quotas = List.copyOf(quotas);
    }

    /** Returns the state before the first command. */
    static ControlState initial(String origin)
    {
        return new ControlState(origin, 0, List.of(), List.of(), List.of(), List.of(), null, 0);
    }

    /** What a command names. */
    interface Command
    {
        /** Returns the names as a message shows them. */
        String text();
    }

    /**
     * A schema, a table or a partition of a catalog; {@code ""} matches any.
     *
     * @param partition a partition's name, {@code key=value/key=value}
     */
    public record Target(@JsonProperty("schema") String schema, @JsonProperty("table") String table, @JsonProperty("partition") String partition)
            implements Command
    {
        @JsonCreator
        public Target
        {
            requireNonNull(schema, "schema is null");
            requireNonNull(table, "table is null");
            requireNonNull(partition, "partition is null");
        }

        public Scope scope(String catalog)
        {
            return new Scope(catalog, schema, table, partition);
        }

        /** Returns the names with dots between them. */
        @Override
        public String text()
        {
            return Stream.of(schema, table, partition).filter(name -> !name.isEmpty()).collect(Collectors.joining("."));
        }
    }

    public record Invalidation(@JsonProperty("epoch") long epoch, @JsonProperty("target") Target target)
    {
        @JsonCreator
        public Invalidation
        {
            requireNonNull(target, "target is null");
        }
    }

    /** Whether tables are cached; {@code *} in a name matches any characters. */
    public record Rule(@JsonProperty("allowed") boolean allowed, @JsonProperty("schema") String schema, @JsonProperty("table") String table)
            implements Command
    {
        @JsonCreator
        public Rule
        {
            requireNonNull(schema, "schema is null");
            requireNonNull(table, "table is null");
        }

        /** Returns the names with a dot between them. */
        @Override
        public String text()
        {
            return schema + "." + table;
        }

        boolean isFor(String otherSchema, String otherTable)
        {
            return schema.equals(otherSchema) && table.equals(otherTable);
        }
    }

    public record Quota(@JsonProperty("target") Target target, @JsonProperty("bytes") long bytes)
            implements Command
    {
        @JsonCreator
        public Quota
        {
            requireNonNull(target, "target is null");
        }

        /** Returns the names of the target. */
        @Override
        public String text()
        {
            return target.text();
        }
    }

    /**
     * Returns this state, which travels with every scan.
     *
     * @throws IllegalArgumentException if it has more pins, rules and quotas, more characters in their names, or more compressed bytes than may travel,
     * unless the change removes some
     */
    ControlState growingWithinBounds(ControlState before)
    {
        long characters = steeredCharacters();
        int bytes = steeredBytes();
        if ((steered() > MOST_STEERED || characters > MOST_CHARACTERS || bytes > MOST_PACKED_BYTES)
                && (steered() > before.steered() || characters > before.steeredCharacters()
                        || (steered() == before.steered() && bytes > before.steeredBytes()))) {
            throw new IllegalArgumentException(steered() + " pins, rules and quotas with names of " + characters + " characters, compressed to "
                    + bytes + " bytes, are too many: they travel with every scan, and a catalog may have at most " + MOST_STEERED
                    + " with names of " + MOST_CHARACTERS + " characters, compressed to " + MOST_PACKED_BYTES
                    + " bytes. Remove some, or replace many by one for their schema, or by a rule with *");
        }
        return this;
    }

    /**
     * Returns this state, from which a command removed something.
     *
     * @param before the commands of this kind in the state before the command
     * @throws IllegalArgumentException if it has as much of it now
     */
    <C extends Command> ControlState removing(String what, List<C> before, Function<ControlState, List<C>> of)
    {
        if (of.apply(this).size() < before.size()) {
            return this;
        }
        String existing = before.stream().limit(MOST_NAMED).map(Command::text).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("There is no " + what + (before.isEmpty()
                ? ""
                : "; there are: " + existing
                        + (before.size() > MOST_NAMED ? ", … (SELECT * FROM cache.control)" : "")));
    }

    private int steeredBytes()
    {
        return packedBytes(new ControlState(origin, epoch, List.of(), pins, rules, quotas, capacityBytes, traceUntilMillis));
    }

    private static int packedBytes(ControlState state)
    {
        return PackedState.of(state).text().length();
    }

    private int steered()
    {
        return pins.size() + rules.size() + quotas.size();
    }

    private long steeredCharacters()
    {
        return characters(pins.stream()) + characters(quotas.stream().map(Quota::target))
                + rules.stream().mapToLong(rule -> rule.schema().length() + rule.table().length()).sum();
    }

    private static long characters(Stream<Target> targets)
    {
        return targets.mapToLong(target -> target.schema().length() + target.table().length() + target.partition().length()).sum();
    }

    ControlState at(long newEpoch)
    {
        return new ControlState(origin, newEpoch, invalidations, pins, rules, quotas, capacityBytes, traceUntilMillis);
    }

    /**
     * Returns the state with a target invalidated at this state's epoch. Omits older invalidations of its parts; if there are too many, widens them to their
     * tables, then to their schemas, then to everything.
     */
    ControlState invalidated(Target target)
    {
        Scope all = target.scope("");
        List<Invalidation> kept = new ArrayList<>(invalidations);
        kept.removeIf(older -> all.contains(older.target().scope("")));
        kept.add(new Invalidation(epoch, target));
        for (UnaryOperator<Target> wider : WIDER) {
            if (kept.size() > MOST_INVALIDATIONS || characters(kept.stream().map(Invalidation::target)) > MOST_CHARACTERS
                    || packedBytes(new ControlState(origin, epoch, kept, List.of(), List.of(), List.of(), null, 0)) > MOST_PACKED_BYTES) {
                kept = widened(kept, wider);
            }
        }
        return new ControlState(origin, epoch, kept, pins, rules, quotas, capacityBytes, traceUntilMillis);
    }

    private static List<Invalidation> widened(List<Invalidation> narrow, UnaryOperator<Target> wider)
    {
        Map<Target, Long> newest = new LinkedHashMap<>();
        narrow.forEach(invalidation -> newest.merge(wider.apply(invalidation.target()), invalidation.epoch(), Math::max));
        return newest.entrySet().stream().map(entry -> new Invalidation(entry.getValue(), entry.getKey())).sorted(Comparator.comparingLong(
                Invalidation::epoch)).toList();
    }

    ControlState pinned(Target target)
    {
        List<Target> changed = new ArrayList<>(unpinned(target).pins);
        changed.add(target);
        return new ControlState(origin, epoch, invalidations, changed, rules, quotas, capacityBytes, traceUntilMillis);
    }

    /** Returns the state without the pins of a target and of its parts. */
    ControlState unpinned(Target target)
    {
        Scope all = target.scope("");
        List<Target> changed = pins.stream().filter(pin -> !all.contains(pin.scope(""))).toList();
        return new ControlState(origin, epoch, invalidations, changed, rules, quotas, capacityBytes, traceUntilMillis);
    }

    /** Returns the state with a rule before all others, instead of the one for the same names. */
    ControlState ruled(Rule rule)
    {
        List<Rule> changed = new ArrayList<>();
        changed.add(rule);
        changed.addAll(unruled(rule.schema(), rule.table()).rules);
        return new ControlState(origin, epoch, invalidations, pins, changed, quotas, capacityBytes, traceUntilMillis);
    }

    ControlState unruled(String schema, String table)
    {
        List<Rule> changed = rules.stream().filter(rule -> !rule.isFor(schema, table)).toList();
        return new ControlState(origin, epoch, invalidations, pins, changed, quotas, capacityBytes, traceUntilMillis);
    }

    /** Returns the state with a bound, or without one if {@code bytes} is null. */
    ControlState bounded(Target target, @Nullable Long bytes)
    {
        List<Quota> changed = new ArrayList<>(quotas);
        changed.removeIf(quota -> quota.target().equals(target));
        if (bytes != null) {
            changed.add(new Quota(target, bytes));
        }
        return new ControlState(origin, epoch, invalidations, pins, rules, changed, capacityBytes, traceUntilMillis);
    }

    /** Returns the state with another capacity, or with the configured one if {@code bytes} is null. */
    ControlState resized(@Nullable Long bytes)
    {
        return new ControlState(origin, epoch, invalidations, pins, rules, quotas, bytes, traceUntilMillis);
    }

    /** Returns the state with lookups recorded until a time; 0 ends the recording. */
    ControlState recording(long untilMillis)
    {
        return new ControlState(origin, epoch, invalidations, pins, rules, quotas, capacityBytes, untilMillis);
    }
}
