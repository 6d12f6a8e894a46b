// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.mutation.FieldMutations;
import org.junit.jupiter.api.Test;

import java.util.Optional;

final class PageKeyTest
{
    private record KeyInputs(FileVersion version, long pageNumber)
    {}

    @Test
    void everyFieldOfAFileVersionTells()
    {
        FileVersion version = new FileVersion(new StoreId("s3://a", "alice"), "/f", 10, 1000, Optional.of("e"));
        new FieldMutations().assertEachTells(new KeyInputs(version, 3), asked -> PageKey.of(asked.version(), asked.pageNumber()));
    }

    @Test
    void everyFieldTells()
    {
        new FieldMutations().assertEachTells(new PageKey(1, 2, 3), key -> key);
    }
}
