// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.cache.config.NearestName;
import io.eyrie.presto.config.LayerProperties;
import io.eyrie.presto.config.LayerProperties.LayerProperty;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/** The names of all properties that a catalog's file may have: those of Eyrie and of Presto's Hive connector, as in a catalog named {@code hive}. */
final class KnownNames
{
    /** Written by a test of presto-plugin, which has access to Presto's classes. */
    private static final String PRESTOS = "presto-hive-properties.txt";

    private final Set<String> names;

    private KnownNames(Set<String> names)
    {
        this.names = names;
    }

    static KnownNames load()
    {
        Set<String> names = new HashSet<>();
        names.add("connector.name");
        LayerProperties.all().stream().map(LayerProperty::name).forEach(names::add);
        try (InputStream in = requireNonNull(KnownNames.class.getResourceAsStream(PRESTOS), PRESTOS);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            lines.lines().forEach(names::add);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new KnownNames(names);
    }

    boolean contains(String name)
    {
        return names.contains(name);
    }

    /** Returns the name that was most likely intended, if a similar one exists. */
    Optional<String> nearest(String name)
    {
        return NearestName.of(name, names);
    }
}
