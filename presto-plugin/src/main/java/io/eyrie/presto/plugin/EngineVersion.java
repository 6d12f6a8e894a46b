// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.plugin;

import java.util.Optional;
import java.util.Set;

/** Knows the releases of the engine that Eyrie was tested with. */
final class EngineVersion
{
    private static final Set<String> TESTED = Set.of("0.296");

    private EngineVersion()
    {}

    /** Returns a message for an engine that Eyrie does not run in. */
    static String refusal(String version, String reason)
    {
        return "This Presto (" + version + ") does not fit Eyrie, which supports " + String.join(", ", TESTED) + ": " + reason;
    }

    /**
     * Returns a warning if Eyrie was not tested with this engine.
     *
     * @param version the version that the engine's node reports: a release, possibly followed by {@code -} and a build
     */
    static Optional<String> warning(String version)
    {
        String release = version.split("-", 2)[0];
        if (TESTED.contains(release)) {
            return Optional.empty();
        }
        return Optional.of(
                "This is Presto " + version + "; Eyrie was tested only with " + String.join(", ", TESTED)
                        + ". With this release, it is untested whether the Hive connector in this "
                        + "plugin links against the engine's SPI, passes its handles between nodes and reports the cache's runtime statistics");
    }
}
