package io.eyrie.presto.check;

import io.eyrie.cache.config.ConfigException;
import io.eyrie.presto.config.EyrieCacheConfig;

import static java.util.Objects.requireNonNull;

/**
 * Something that an operator should know of a catalog's file.
 *
 * @param key the property
 * @param value what it is, or the part of it that is meant; empty if it is not set
 * @param problem what is wrong, a sentence without a full stop
 * @param fix what the operator can do, likewise; empty if there is nothing to do
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

    /** What fails the start. */
    static Finding of(ConfigException complaint)
    {
        ConfigException named = EyrieCacheConfig.inOperatorsTerms(complaint);
        return error(named.key(), named.value(), named.allowed(), named.fix());
    }

    /** One line. */
    public String text()
    {
        return key + (value.isEmpty() ? "" : " is " + value) + ": " + problem + (fix.isEmpty() ? "" : ". To fix: " + fix);
    }
}
