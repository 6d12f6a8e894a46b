// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import io.eyrie.cache.config.ConfigException;

import java.util.Map;

/** Rejects features whose jars the plugin's folder does not contain, until the operator adds them. */
final class LeftOutJars
{
    private static final String RANGER_CLASS = "org.apache.ranger.plugin.service.RangerBasePlugin";

    private LeftOutJars()
    {}

    /**
     * Checks that the jars that the properties require are present.
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
                    "Ranger's client is not in the plugin's folder; without it, only legacy, file, read-only and sql-standard are allowed",
                    "copy ranger-apache-2.1.0-3.jar and jna-5.2.0.jar from Presto's hive-hadoop2 plugin into Eyrie's folder, or use another value");
        }
    }
}
