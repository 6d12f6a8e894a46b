// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.presto.config.EyrieCacheConfig;

import static java.util.Objects.requireNonNull;

/**
 * A problem or a note about a catalog's file, for the operator.
 *
 * @param key the property
 * @param value its value, or the relevant part of it; empty if there is none
 * @param problem the problem, as a sentence without a period
 * @param fix a remedy, also without a period; empty if there is none
 */
public record Finding(Severity severity, String key, String value, String problem, String fix)
{
    public Finding
    {
        requireNonNull(severity, "severity is null");
        requireNonNull(key, "key is null");
        requireNonNull(value, "value is null");
        requireNonNull(problem, "problem is null");
        requireNonNull(fix, "fix is null");
    }

    static Finding error(String key, String value, String problem, String fix)
    {
        return new Finding(Severity.ERROR, key, value, problem, fix);
    }

    static Finding warning(String key, String value, String problem, String fix)
    {
        return new Finding(Severity.WARNING, key, value, problem, fix);
    }

    static Finding note(String key, String value, String problem)
    {
        return new Finding(Severity.NOTE, key, value, problem, "");
    }

    /** Returns a finding for an error that fails the start. */
    public static Finding of(ConfigException complaint)
    {
        ConfigException named = EyrieCacheConfig.inOperatorsTerms(complaint);
        return error(named.key(), named.value(), named.allowed(), named.fix());
    }

    /** Returns the finding as one line. */
    public String text()
    {
        return key + (value.isEmpty() ? "" : " is " + value) + ": " + problem + (fix.isEmpty() ? "" : ". To fix: " + fix);
    }
}
