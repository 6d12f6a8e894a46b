// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.orc;

import com.facebook.presto.orc.StreamId;
import com.facebook.presto.orc.metadata.Stream.StreamKind;
import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.mutation.FieldMutations;
import io.eyrie.footer.FooterKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Optional;
import java.util.stream.Stream;

final class FooterKeyTest
{
    private static final StreamId STREAM = new StreamId(3, 4, StreamKind.ROW_INDEX);

    static Stream<Object> parts()
    {
        return Stream.of("", 7, STREAM, new CachedStripeMetadataSource.ParsedIndex(STREAM, true));
    }

    @ParameterizedTest
    @MethodSource("parts")
    void everyFieldTells(Object part)
    {
        FileVersion version = new FileVersion(new StoreId("s3://a", "alice"), "/f", 10, 1000, Optional.of("e"));
        new FieldMutations().assertEachTells(new FooterKey(version, 100, part), key -> key);
    }
}
