// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import com.facebook.airlift.configuration.ConfigurationFactory;
import com.facebook.airlift.configuration.ConfigurationInspector;
import com.facebook.airlift.configuration.ConfigurationInspector.ConfigAttribute;
import io.eyrie.presto.config.CatalogSettings;
import org.jspecify.annotations.Nullable;

import javax.inject.Inject;

import java.util.ArrayList;
import java.util.List;

import static java.util.Objects.requireNonNull;

/** The effective properties of a catalog, Eyrie's and those of Presto's Hive connector. Secrets are hidden. */
final class Settings
{
    private final ConfigurationFactory configuration;
    private final CatalogSettings catalog;

    /** A property, its value, and where the value comes from. */
    record Setting(String property, String value, @Nullable String defaultValue, String source, @Nullable String description)
    {}

    @Inject
    Settings(ConfigurationFactory configuration, CatalogSettings catalog)
    {
        this.configuration = requireNonNull(configuration, "configuration is null");
        this.catalog = requireNonNull(catalog, "catalog is null");
    }

    List<Setting> all()
    {
        List<Setting> all = new ArrayList<>();
        new ConfigurationInspector().inspect(configuration)
                .forEach(record -> record.getAttributes().forEach(attribute -> all.add(setting(attribute))));
        catalog.withoutEffect().forEach((property, value) -> all.add(new Setting(property, value, null, "file, without effect", null)));
        return all;
    }

    private Setting setting(ConfigAttribute attribute)
    {
        String property = attribute.getPropertyName();
        String source = "derived";
        if (catalog.properties().containsKey(property)) {
            source = "file";
        }
        else if (attribute.getCurrentValue().equals(attribute.getDefaultValue())) {
            source = "default";
        }
        return new Setting(property, attribute.getCurrentValue(), attribute.getDefaultValue(), source, attribute.getDescription());
    }
}
