// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.config;

import java.io.Serial;

import static java.util.Objects.requireNonNull;

/**
 * Reports a setting that the operator has to change: its name, its value, the allowed values, and the fix. Fails the start; never thrown for the
 * state of a disk, because disks recover.
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
     * @param value its value, or the wrong part of it
     * @param allowed the allowed values, or the obstacle
     * @param fix the action for the operator, a sentence without a final period
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
