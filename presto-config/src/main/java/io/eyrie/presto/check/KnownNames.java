// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.presto.config.LayerProperties;
import io.eyrie.presto.config.LayerProperties.LayerProperty;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/** The names of all properties that a catalog's file may have: those of Eyrie and of Presto's Hive connector, as in a catalog named {@code hive}. */
final class KnownNames
{
    /** Written by a test of presto-plugin, which has access to Presto's classes. */
    private static final String PRESTOS = "presto-hive-properties.txt";
    private static final int LETTERS_PER_ERROR = 4;
    private static final int LEAST_ERRORS = 2;

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
        int most = Math.max(LEAST_ERRORS, name.length() / LETTERS_PER_ERROR);
        return names.stream()
                .filter(known -> Math.abs(known.length() - name.length()) <= most)
                .filter(known -> distance(name, known) <= most)
                .min(Comparator.comparingInt((String known) -> distance(name, known)).thenComparing(Comparator.naturalOrder()));
    }

    /** Returns how many letters to change, add, remove or swap with the next (Damerau, optimal string alignment). */
    static int distance(String a, String b)
    {
        int[][] distances = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    distances[i][j] = i + j;
                    continue;
                }
                int changed = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                int least = Math.min(distances[i - 1][j - 1] + changed, Math.min(distances[i - 1][j], distances[i][j - 1]) + 1);
                boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                distances[i][j] = swapped ? Math.min(least, distances[i - 2][j - 2] + 1) : least;
            }
        }
        return distances[a.length()][b.length()];
    }
}
