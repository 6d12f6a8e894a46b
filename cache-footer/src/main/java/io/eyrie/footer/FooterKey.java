// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer;

import io.eyrie.cache.file.FileVersion;

/**
 * Identifies a part of one version of a file.
 *
 * @param position where the part begins, or where its stripe begins
 * @param part distinguishes the parts that begin there; immutable, with equality by value
 */
public record FooterKey(FileVersion version, long position, Object part)
{}
