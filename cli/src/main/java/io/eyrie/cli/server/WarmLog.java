// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import io.eyrie.cli.console.Words;

import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/** Prints one line for each decision of {@code eyrie warm}. For one thread. */
final class WarmLog
{
    private final Clock clock;
    private final Consumer<String> lines;
    private final Map<String, String> said = new HashMap<>();

    WarmLog(Clock clock, Consumer<String> lines)
    {
        this.clock = requireNonNull(clock, "clock is null");
        this.lines = requireNonNull(lines, "lines is null");
    }

    void line(String subject, String text)
    {
        lines.accept(clock.instant().truncatedTo(ChronoUnit.SECONDS) + " " + Words.plain(subject) + ": " + text);
    }

    /** Prints a line, unless it only repeats the latest one of this subject. */
    void once(String subject, String text)
    {
        if (!text.equals(said.put(subject, text))) {
            line(subject, text);
        }
    }

    /** Prints the next line of a subject even if it repeats an earlier one. */
    void forget(String subject)
    {
        said.remove(subject);
    }
}
