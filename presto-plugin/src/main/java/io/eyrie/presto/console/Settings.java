// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import com.facebook.airlift.configuration.ConfigurationFactory;
import com.facebook.airlift.configuration.ConfigurationInspector;
import com.facebook.airlift.configuration.ConfigurationInspector.ConfigAttribute;
import io.eyrie.presto.catalog.CatalogName;
import io.eyrie.presto.check.IdleLine;
import io.eyrie.presto.config.AddedLine;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.CatalogSettings;
import io.eyrie.presto.config.FragmentConfig;
import io.eyrie.presto.config.Layer;
import io.eyrie.presto.config.LayerProperties;
import io.eyrie.presto.config.PropertyType;
import io.eyrie.presto.memory.MemoryLayer;
import io.eyrie.presto.memory.MemoryPlan;
import io.eyrie.presto.memory.MemoryPlan.Share;
import org.jspecify.annotations.Nullable;

import javax.inject.Inject;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import static io.airlift.units.DataSize.succinctBytes;
import static java.util.Objects.requireNonNull;

/** The effective properties of a catalog, Eyrie's and those of Presto's Hive connector. Secrets are hidden. */
final class Settings
{
    private static final String MAX_MEMORY = "cache.max-memory";
    private static final String BUILD_BYTES = "fragment-result-cache.joined.max-build-size";
    private static final String RESULT_BYTES = "fragment-result-cache.max-single-pages-size";

    private final ConfigurationFactory configuration;
    private final CatalogSettings settings;
    private final MemoryPlan memory;
    private final String prefix;
    private final boolean cached;
    private final Map<String, AddedLine> added;
    private final Map<String, String> withoutEffect;
    private final Map<String, Long> scaled;
    private final Optional<String> resultLimit;
    /** The shares of layers whose properties have no constant default. */
    private final Map<String, Share> presets;

    /**
     * A property.
     *
     * @param value the value in effect
     * @param source {@code file}, {@code switch}, {@code derived} or {@code default}
     * @param effect {@code in effect}, {@code scaled down} or {@code no effect}
     * @param note the reason, unless the value is in effect as it is set
     */
    record Setting(
            String property,
            @Nullable String value,
            @Nullable String defaultValue,
            String source,
            String effect,
            @Nullable String note,
            @Nullable String description)
    {}

    @Inject
    Settings(ConfigurationFactory configuration, CatalogSettings settings, CatalogName name, MemoryPlan memory, FragmentConfig fragments)
    {
        this.configuration = requireNonNull(configuration, "configuration is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.memory = requireNonNull(memory, "memory is null");
        added = settings.added().stream().collect(Collectors.toMap(AddedLine::property, line -> line));
        withoutEffect = new HashMap<>(fragments.withoutEffect());
        CatalogFile catalog = new CatalogFile(name.name(), settings.forConnector());
        IdleLine.withDefaults(catalog).forEach(line -> withoutEffect.putIfAbsent(catalog.nameInConnector(line.property()), line.reason()));
        prefix = name.name() + ".";
        cached = catalog.isOn("cache.enabled", false);
        scaled = memory.shares()
                .stream()
                // what bounds idle build sides does not bound those in use
                .filter(share -> share.isScaled() && share.layer() != MemoryLayer.FRAGMENT_JOINS)
                .collect(Collectors.toMap(share -> catalog.nameInConnector(share.layer().limitedBy()), Share::bytes, Math::min));
        presets = memory.shares()
                .stream()
                .filter(share -> share.layer() == MemoryLayer.METASTORE || share.layer() == MemoryLayer.FILE_LISTS)
                .collect(Collectors.toMap(share -> share.layer().limitedBy(), share -> share));
        memory.share(MemoryLayer.FRAGMENT_JOINS)
                .filter(share -> memory.maxBuildBytes() < share.limitBytes())
                .ifPresent(share -> scaled.put(BUILD_BYTES, memory.maxBuildBytes()));
        long resultBytes = fragments.getMaxSinglePagesSize().toBytes();
        resultLimit = fragments.isEnabled() ? memory.resultLimit(resultBytes) : Optional.empty();
        resultLimit.ifPresent(limit -> scaled.put(RESULT_BYTES, memory.maxResultBytes(resultBytes)));
    }

    List<Setting> all()
    {
        List<Setting> all = new ArrayList<>();
        new ConfigurationInspector().inspect(configuration)
                .forEach(record -> record.getAttributes().forEach(attribute -> all.add(setting(attribute))));
        settings.withoutEffect().forEach((property, value) -> all.add(new Setting(property, value, null, "file", "no effect", LayerProperties.find(
                property)
                .flatMap(found -> found.layer().lacking()).orElse(null), null)));
        return all;
    }

    private Setting setting(ConfigAttribute attribute)
    {
        String property = attribute.getPropertyName();
        String value = attribute.getCurrentValue();
        String source = source(attribute);
        String reason = withoutEffect.get(property);
        if (reason != null) {
            return new Setting(property, value, attribute.getDefaultValue(), source, "no effect", reason, attribute.getDescription());
        }
        if (property.equals(MAX_MEMORY) && memory.boundIsPreset()) {
            return new Setting(property, text(memory.boundBytes()), null, "derived", "in effect", MemoryPlan.PRESET_PERCENT
                    + " percent of the heap of "
                    + text(memory.heapBytes()), attribute.getDescription());
        }
        Share preset = presets.get(property);
        if (preset != null && !isInFile(property)) {
            return new Setting(property, text(preset.bytes()), null, "derived", preset.isScaled() ? "scaled down" : "in effect", preset.isScaled()
                    ? "from " + text(preset.limitBytes()) + ", to fit " + MAX_MEMORY
                    : "a quarter of " + MAX_MEMORY, attribute.getDescription());
        }
        Long share = scaled.get(property);
        if (share != null) {
            String limit = property.equals(RESULT_BYTES)
                    ? resultLimit.orElse(MAX_MEMORY)
                    : property.equals(BUILD_BYTES) ? "a tenth of the heap" : MAX_MEMORY;
            return new Setting(property, text(share), attribute.getDefaultValue(), source, "scaled down", "from " + value + ", to fit " + limit,
                    attribute
                            .getDescription());
        }
        AddedLine line = added.get(property);
        return new Setting(property, value, attribute.getDefaultValue(), source, "in effect", line == null ? null : line.reason(), attribute
                .getDescription());
    }

    private String source(ConfigAttribute attribute)
    {
        String property = attribute.getPropertyName();
        AddedLine line = added.get(property);
        if (line != null) {
            return line.source().name().toLowerCase(Locale.ROOT);
        }
        if (isInFile(property)) {
            return "file";
        }
        return presetWithCache(property).orElse(attribute.getCurrentValue().equals(attribute.getDefaultValue()) ? "default" : "derived");
    }

    /* Defaults of Presto's properties that a module sets, and the inspector takes for constant. */
    private Optional<String> presetWithCache(String property)
    {
        if (!cached) {
            return Optional.empty();
        }
        if (property.equals("hive.node-selection-strategy")) {
            return Optional.of("switch");
        }
        return LayerProperties.find(property.startsWith(prefix) ? "hive." + property.substring(prefix.length()) : property)
                .filter(found -> found.layer() == Layer.FOOTERS && found.type() != PropertyType.DURATION)
                .map(found -> found.type() == PropertyType.BOOLEAN ? "switch" : "derived");
    }

    /* The inspector shows the current name of a property that the file may set by its old one. */
    private boolean isInFile(String property)
    {
        return settings.properties().containsKey(property)
                || (property.equals("cache.max-cache-size") && settings.properties().containsKey("cache.alluxio.max-cache-size"));
    }

    private static String text(long bytes)
    {
        return succinctBytes(bytes).toString();
    }
}
