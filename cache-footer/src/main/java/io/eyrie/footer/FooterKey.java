package io.eyrie.footer;

import io.eyrie.cache.file.FileVersion;

/**
 * A part of one version of a file.
 *
 * @param position where it begins, or where the stripe begins that it belongs to
 * @param part what it is among what begins there; immutable, with equality by value
 */
public record FooterKey(FileVersion version, long position, Object part)
{}
