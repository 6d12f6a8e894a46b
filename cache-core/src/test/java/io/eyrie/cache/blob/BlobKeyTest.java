// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.blob;

import io.eyrie.cache.mutation.FieldMutations;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;

final class BlobKeyTest
{
    @Test
    void everyByteOfAnIdentityTells()
    {
        byte[] identity = new byte[200];
        for (int length = 1; length <= identity.length; length++) {
            byte[] bytes = Arrays.copyOf(identity, length);
            new FieldMutations().assertEachTells(bytes, content -> BlobKey.of(ByteBuffer.wrap(content)));
        }
    }

    @Test
    void everyFieldTells()
    {
        new FieldMutations().assertEachTells(new BlobKey(1, 2), key -> key);
        new FieldMutations().assertEachTells(new BlobKey(1, 2), key -> key.page(3));
    }
}
