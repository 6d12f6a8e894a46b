// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import java.nio.file.Path;
import java.util.Map;

/** A Presto plugin with one function, {@code eyrie_udf}, which adds a number to its argument. It is compiled when it is written. */
public final class UdfPlugin
{
    private static final String SOURCE = """
            import com.facebook.presto.spi.Plugin;
            import com.facebook.presto.spi.function.ScalarFunction;
            import com.facebook.presto.spi.function.SqlType;
            import java.util.Set;

            public final class Udf implements Plugin
            {
                @Override
                public Set<Class<?>> getFunctions()
                {
                    return Set.of(Function.class);
                }

                public static final class Function
                {
                    @ScalarFunction("eyrie_udf")
                    @SqlType("bigint")
                    public static long add(@SqlType("bigint") long value)
                    {
                        return value + ADDED;
                    }
                }
            }
            """;

    private UdfPlugin()
    {}

    /** Writes the plugin's jar, replacing an existing one. */
    public static Path write(Path folder, Path engineLib, int added)
    {
        return PluginJar.write(folder, engineLib, "Udf", SOURCE.replace("ADDED", Integer.toString(added)), Map.of("Plugin", "Udf"));
    }
}
