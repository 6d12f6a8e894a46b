package io.eyrie.presto.plugin;

import io.eyrie.cache.config.ConfigException;

import java.util.Map;

/** What the plugin's folder does not carry, and what therefore cannot be configured until its jars are put there. */
final class LeftOutJars
{
    private static final String RANGER_CLASS = "org.apache.ranger.plugin.service.RangerBasePlugin";

    private LeftOutJars()
    {}

    /**
     * Checks that what the properties ask for is there.
     *
     * @throws ConfigException naming the jars to add
     */
    static void check(Map<String, String> properties, ClassLoader classLoader)
    {
        String security = properties.getOrDefault("hive.security", "");
        if (security.equalsIgnoreCase("ranger") && classLoader.getResource(RANGER_CLASS.replace('.', '/') + ".class") == null) {
            throw new ConfigException(
                    "hive.security",
                    security,
                    "Ranger's client is not in the plugin's folder; without it legacy, file, read-only and sql-standard are allowed",
                    "put ranger-apache-2.1.0-3.jar and jna-5.2.0.jar of Presto's hive-hadoop2 plugin into Eyrie's folder, or choose another one");
        }
    }
}
