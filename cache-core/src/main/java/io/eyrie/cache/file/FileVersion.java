// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.file;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * One version of one remote file: the identity of its bytes. An overwritten file gets another version, which is another key everywhere in the
 * cache.
 *
 * @param store the store of the file
 * @param path the file's full path in the store
 * @param lengthBytes the length of this version, which reads never exceed
 * @param modifiedMillis the modification time that the store reports, in milliseconds since the epoch
 * @param etag the entity tag, if the store reports one
 */
public record FileVersion(StoreId store, String path, long lengthBytes, long modifiedMillis, Optional<String> etag)
{
    public FileVersion
    {
        requireNonNull(store, "store is null");
        requireNonNull(path, "path is null");
        requireNonNull(etag, "etag is null");
        if (lengthBytes < 0) {
            throw new IllegalArgumentException("lengthBytes is negative: " + lengthBytes);
        }
    }
}
