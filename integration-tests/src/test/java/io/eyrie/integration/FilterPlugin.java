// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import java.nio.file.Path;
import java.util.Map;

/**
 * A Presto plugin whose access control allows everything, but filters rows and masks columns of tables whose names begin with {@code guarded}: the user
 * {@value #LIMITED} sees rows with {@code x < 100}; the user {@value #MASKED} sees {@code x + 1000} for x, a constant for note, and null for day. It is compiled
 * when it is written.
 */
final class FilterPlugin
{
    static final String LIMITED = "limited";
    static final String MASKED = "masked";

    private static final String SOURCE = """
            import com.facebook.presto.spi.CatalogSchemaTableName;
            import com.facebook.presto.spi.ColumnMetadata;
            import com.facebook.presto.spi.Plugin;
            import com.facebook.presto.spi.security.Identity;
            import com.facebook.presto.spi.security.SystemAccessControl;
            import com.facebook.presto.spi.security.SystemAccessControlFactory;
            import com.facebook.presto.spi.security.ViewExpression;
            import java.io.IOException;
            import java.io.UncheckedIOException;
            import java.lang.reflect.InvocationHandler;
            import java.lang.reflect.Method;
            import java.lang.reflect.Proxy;
            import java.nio.file.Files;
            import java.nio.file.Path;
            import java.util.HashMap;
            import java.util.List;
            import java.util.Map;
            import java.util.Optional;

            public final class Filters implements Plugin
            {
                private static final Map<String, String> MASKS = Map.of("x", "x + 1000", "note", "cast('hidden' AS varchar)", "day", "cast(NULL AS date)");

                @Override
                public Iterable<SystemAccessControlFactory> getSystemAccessControlFactories()
                {
                    try {
                        // the engine reads this file of its working directory after it has loaded the plugins
                        Files.writeString(Path.of("etc", "access-control.properties"), "access-control.name=filters\\n");
                    }
                    catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return List.of(new SystemAccessControlFactory()
                    {
                        @Override
                        public String getName()
                        {
                            return "filters";
                        }

                        @Override
                        public SystemAccessControl create(Map<String, String> config)
                        {
                            return (SystemAccessControl) Proxy.newProxyInstance(Filters.class.getClassLoader(), new Class<?>[] {SystemAccessControl.class},
                                    Filters::answer);
                        }
                    });
                }

                private static Object answer(Object control, Method method, Object[] arguments)
                        throws Throwable
                {
                    String name = method.getName();
                    if (method.getDeclaringClass() == Object.class) {
                        return switch (name) {
                            case "equals" -> control == arguments[0];
                            case "hashCode" -> System.identityHashCode(control);
                            default -> "filters";
                        };
                    }
                    if (name.startsWith("check")) {
                        return null;
                    }
                    if (name.startsWith("filter")) {
                        return arguments[arguments.length - 1];
                    }
                    if (name.equals("getRowFilters")) {
                        return isGuarded(arguments, "limited") ? List.of(expression("x < 100", arguments)) : List.of();
                    }
                    if (name.equals("getColumnMasks")) {
                        Map<ColumnMetadata, ViewExpression> masks = new HashMap<>();
                        for (Object column : isGuarded(arguments, "masked") ? (List<?>) arguments[3] : List.of()) {
                            String mask = MASKS.get(((ColumnMetadata) column).getName());
                            if (mask != null) {
                                masks.put((ColumnMetadata) column, expression(mask, arguments));
                            }
                        }
                        return masks;
                    }
                    return InvocationHandler.invokeDefault(control, method, arguments);
                }

                private static boolean isGuarded(Object[] arguments, String user)
                {
                    return ((Identity) arguments[0]).getUser().equals(user) && table(arguments).getSchemaTableName().getTableName().startsWith("guarded");
                }

                private static CatalogSchemaTableName table(Object[] arguments)
                {
                    return (CatalogSchemaTableName) arguments[2];
                }

                private static ViewExpression expression(String text, Object[] arguments)
                {
                    CatalogSchemaTableName table = table(arguments);
                    return new ViewExpression("owner", Optional.of(table.getCatalogName()), Optional.of(table.getSchemaTableName().getSchemaName()), text);
                }
            }
            """;

    private FilterPlugin()
    {}

    /** Writes the plugin's jar, replacing an existing one, and returns its folder. */
    static Path write(Path folder, Path engineLib)
    {
        return PluginJar.write(folder, engineLib, "Filters", SOURCE, Map.of("Plugin", "Filters"));
    }
}
