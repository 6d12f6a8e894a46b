// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that was most likely intended where another was written. */
public final class NearestName
{
    private static final int LETTERS_PER_ERROR = 4;
    private static final int LEAST_ERRORS = 2;

    private NearestName()
    {}

    /** Returns the most similar of the known names, if one is so similar that the difference may be a typing error. */
    public static Optional<String> of(String name, Collection<String> names)
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
