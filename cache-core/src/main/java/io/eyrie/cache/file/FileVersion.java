package io.eyrie.cache.file;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * One version of one remote file: the identity of its bytes. A file that is overwritten gets another version, which is
 * another key everywhere in the cache.
 *
 * @param store where the file lives
 * @param path the file's full path in the store
 * @param lengthBytes the length of this version, which reads never go beyond
 * @param modifiedMillis the modification time that the store gives, milliseconds since the epoch
 * @param etag the entity tag, where the store gives one
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
