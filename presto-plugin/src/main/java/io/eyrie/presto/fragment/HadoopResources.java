// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Reads the files of {@code hive.config.resources}, from which input formats and serdes of Hive take how bytes become rows. Stateless. */
final class HadoopResources
{
    private static final List<String> CREDENTIALS = List.of("secret", "password", "token", "access.key", "access-key", "account.key");

    private HadoopResources()
    {}

    /** Returns the properties of the files without credentials. If several files have a property, the last one counts, as for Presto. */
    static Map<String, String> read(List<String> files)
    {
        Configuration configuration = new Configuration(false);
        files.forEach(file -> configuration.addResource(new Path(file)));
        Map<String, String> properties = new TreeMap<>();
        configuration.forEach(property -> properties.put(property.getKey(), property.getValue()));
        properties.keySet().removeIf(name -> CREDENTIALS.stream().anyMatch(name.toLowerCase(Locale.ENGLISH)::contains));
        return Map.copyOf(properties);
    }
}
