package io.eyrie.cache.config;

import java.io.Serial;

import static java.util.Objects.requireNonNull;

/**
 * A setting that the operator has to change: which, what it is, what is allowed, and what to do about it. Fails the
 * start; never thrown for the state of a disk, which heals.
 */
public final class ConfigException
        extends IllegalArgumentException
{
    @Serial
    private static final long serialVersionUID = 1;

    private final String key;
    private final String value;
    private final String allowed;
    private final String fix;

    /**
     * @param key the name of the {@link PageCacheConfig} component
     * @param value what it is set to, or the part of it that is wrong
     * @param allowed what it may be, or what is in its way
     * @param fix what the operator can do, a sentence without a full stop
     */
    public ConfigException(String key, String value, String allowed, String fix)
    {
        super(key + " is " + value + ", but " + allowed + ". To fix: " + fix + ".");
        this.key = requireNonNull(key, "key is null");
        this.value = requireNonNull(value, "value is null");
        this.allowed = requireNonNull(allowed, "allowed is null");
        this.fix = requireNonNull(fix, "fix is null");
    }

    public String key()
    {
        return key;
    }

    public String value()
    {
        return value;
    }

    public String allowed()
    {
        return allowed;
    }

    public String fix()
    {
        return fix;
    }
}
