package io.eyrie.presto.plugin;

import java.util.Optional;
import java.util.Set;

/** Which engines Eyrie was tested with. */
final class EngineVersion
{
    private static final Set<String> TESTED = Set.of("0.296");

    private EngineVersion()
    {}

    /**
     * What to warn of, if the engine is another one than those that Eyrie was tested with.
     *
     * @param version as the engine's node tells it: a release, possibly with {@code -} and a build after it
     */
    static Optional<String> warning(String version)
    {
        String release = version.split("-", 2)[0];
        if (TESTED.contains(release)) {
            return Optional.empty();
        }
        return Optional.of(
                "This is Presto " + version + "; Eyrie was tested with " + String.join(", ", TESTED)
                        + " alone. Untested here: whether the Hive connector in this "
                        + "plugin links to this engine's SPI, its handles on the way between the nodes, and the cache's figures in the runtime statistics");
    }
}
