// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import io.eyrie.cli.console.Words;
import io.eyrie.cli.server.WarmRules.Hours;

import java.time.Clock;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Optional;
import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;

/** The quiet hours and the daily budget of {@code eyrie warm}. For one thread. */
final class WarmLimits
{
    private final WarmRules rules;
    private final WarmState state;
    private final Clock clock;

    /** @param clock with the zone of the rules */
    WarmLimits(WarmRules rules, WarmState state, Clock clock)
    {
        this.rules = requireNonNull(rules, "rules is null");
        this.state = requireNonNull(state, "state is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /**
     * Returns why nothing may be loaded now; empty if it may.
     *
     * @param work what waits, such as {@code 2 partitions to warm}
     */
    Optional<String> obstacle(String work)
    {
        Optional<Hours> quiet = rules.quietAt(LocalTime.now(clock));
        if (quiet.isPresent()) {
            return Optional.of("quiet hours until " + quiet.get().end() + ": " + work + " then");
        }
        OptionalLong left = leftToday();
        return left.isPresent() && left.getAsLong() <= 0
                ? Optional.of("the daily budget of " + Words.size(rules.dailyBytes().orElseThrow()) + " is used up: " + work + " tomorrow")
                : Optional.empty();
    }

    /** Returns the bytes that may still be loaded today; empty without a budget. */
    OptionalLong leftToday()
    {
        OptionalLong budget = rules.dailyBytes();
        return budget.isEmpty() ? budget : OptionalLong.of(budget.getAsLong() - state.loadedBytes(LocalDate.now(clock)));
    }

    void loaded(long bytes)
    {
        state.loaded(LocalDate.now(clock), bytes);
    }
}
