// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.common.function.SqlFunctionProperties;
import com.facebook.presto.common.type.TimeZoneKey;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class SplitKeyTest
{
    private static final FileVersion FILE = new FileVersion(StoreId.shared("s3://a"), "/f", 10, 1000, Optional.of("e"));

    @ParameterizedTest
    @EnumSource(KeyPart.class)
    void noKeyLacksAPart(KeyPart missing)
    {
        SplitKey.Builder builder = SplitKey.builder();
        Stream.of(KeyPart.values()).filter(part -> part != missing).forEach(part -> builder.with(part, writer -> {}));
        assertThatThrownBy(builder::build).isInstanceOf(IllegalStateException.class).hasMessageContaining(missing.name());
    }

    @ParameterizedTest
    @EnumSource(KeyPart.class)
    void eachPartTells(KeyPart part)
    {
        assertThat(key(part, writer -> writer.text("one"))).isNotEqualTo(key(part, writer -> writer.text("other")));
    }

    @Test
    void partsDoNotRunIntoEachOther()
    {
        byte[] first = parts(Map.of(KeyPart.FILE, "ab", KeyPart.RANGE, "c"));
        byte[] second = parts(Map.of(KeyPart.FILE, "a", KeyPart.RANGE, "bc"));
        byte[] third = parts(Map.of(KeyPart.FILE, "c", KeyPart.RANGE, "ab"));
        assertThat(Set.of(Arrays.toString(first), Arrays.toString(second), Arrays.toString(third))).hasSize(3);
    }

    @Property(tries = 500)
    void textsAreEqualJustWhenTheyAre(@ForAll @Size(max = 3) List<@StringLength(max = 3) String> one,
            @ForAll @Size(max = 3) List<@StringLength(max = 3) String> other)
    {
        assertThat(Arrays.equals(written(writer -> writer.texts(one)), written(writer -> writer.texts(other)))).isEqualTo(one.equals(other));
    }

    @Property(tries = 500)
    void mapsAreEqualJustWhenTheyAre(@ForAll @Size(max = 3) Map<@StringLength(max = 2) String, @StringLength(max = 2) String> one,
            @ForAll @Size(max = 3) Map<@StringLength(max = 2) String, @StringLength(max = 2) String> other)
    {
        assertThat(Arrays.equals(written(writer -> writer.map(one)), written(writer -> writer.map(other)))).isEqualTo(one.equals(other));
    }

    @Test
    void alteredSerdePropertyIsAnotherKey()
    {
        Map<String, String> comma = Map.of("field.delim", ",", "escape.delim", "\\");
        Map<String, String> tab = Map.of("field.delim", "\t", "escape.delim", "\\");
        assertThat(key(KeyPart.SERDE, writer -> writer.map(comma))).isNotEqualTo(key(KeyPart.SERDE, writer -> writer.map(tab)));
    }

    @Test
    void partitionsOfOneLocationDiffer()
    {
        Consumer<IdentityWriter> none = writer -> writer.text("ds").optional(Optional.empty());
        Consumer<IdentityWriter> empty = writer -> writer.text("ds").optional(Optional.of(""));
        Consumer<IdentityWriter> day = writer -> writer.text("ds").optional(Optional.of("2021-01-01"));
        assertThat(Stream.of(none, empty, day).map(part -> Arrays.toString(key(KeyPart.PARTITION, part))).distinct()).hasSize(3);
    }

    @Test
    void everyVersionOfAFileIsAnotherKey()
    {
        List<FileVersion> versions = List.of(
                FILE,
                new FileVersion(StoreId.shared("s3://b"), "/f", 10, 1000, Optional.of("e")),
                new FileVersion(new StoreId("s3://a", "alice"), "/f", 10, 1000, Optional.of("e")),
                new FileVersion(StoreId.shared("s3://a"), "/g", 10, 1000, Optional.of("e")),
                new FileVersion(StoreId.shared("s3://a"), "/f", 11, 1000, Optional.of("e")),
                // overwritten in place with the same length
                new FileVersion(StoreId.shared("s3://a"), "/f", 10, 2000, Optional.of("e")),
                new FileVersion(StoreId.shared("s3://a"), "/f", 10, 1000, Optional.of("f")),
                new FileVersion(StoreId.shared("s3://a"), "/f", 10, 1000, Optional.empty()));
        assertThat(versions.stream().map(version -> Arrays.toString(written(writer -> writer.file(version))))).doesNotHaveDuplicates();
    }

    @Test
    void everythingThatFunctionsAskOfTheSessionTells()
    {
        List<SqlFunctionProperties> sessions = new ArrayList<>();
        sessions.add(session().build());
        sessions.add(session().setTimeZoneKey(TimeZoneKey.getTimeZoneKey("Asia/Tokyo")).build());
        sessions.add(session().setSessionLocale(Locale.GERMANY).build());
        sessions.add(session().setParseDecimalLiteralAsDouble(true).build());
        sessions.add(session().setLegacyRowFieldOrdinalAccessEnabled(true).build());
        sessions.add(legacyTimestamp());
        sessions.add(session().setLegacyMapSubscript(true).build());
        sessions.add(session().setFieldNamesInJsonCastEnabled(true).build());
        sessions.add(session().setLegacyJsonCast(true).build());
        sessions.add(session().setCanonicalizedJsonExtract(true).build());
        assertThat(sessions.stream().map(SplitKeyTest::written)).doesNotHaveDuplicates();
    }

    @Test
    void startOfTheSessionAndItsUserDoNot()
    {
        assertThat(written(session().setSessionStartTime(1).build())).isEqualTo(written(session().setSessionStartTime(2).build()));
        assertThat(written(session().setSessionUser("bob").build())).isEqualTo(written(session().build()));
    }

    private static SqlFunctionProperties.Builder session()
    {
        return SqlFunctionProperties.builder().setTimeZoneKey(TimeZoneKey.UTC_KEY).setSessionLocale(Locale.ENGLISH).setSessionUser("alice");
    }

    @SuppressWarnings("deprecation")
    private static SqlFunctionProperties legacyTimestamp()
    {
        return session().setLegacyTimestamp(true).build();
    }

    private static String written(SqlFunctionProperties session)
    {
        return Arrays.toString(written(writer -> SessionFacts.write(session, writer)));
    }

    private static byte[] written(Consumer<IdentityWriter> content)
    {
        IdentityWriter writer = new IdentityWriter();
        content.accept(writer);
        return writer.toBytes();
    }

    private static byte[] key(KeyPart part, Consumer<IdentityWriter> content)
    {
        SplitKey.Builder builder = SplitKey.builder();
        Stream.of(KeyPart.values()).forEach(other -> builder.with(other, writer -> writer.text("same")));
        return builder.with(part, content).build().identity();
    }

    private static byte[] parts(Map<KeyPart, String> texts)
    {
        SplitKey.Builder builder = SplitKey.builder();
        Stream.of(KeyPart.values()).forEach(part -> builder.with(part, writer -> writer.text(texts.getOrDefault(part, ""))));
        return builder.build().identity();
    }
}
