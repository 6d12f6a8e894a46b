// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.store;

import java.nio.ByteBuffer;

/** Adjacent granules of one page, in the form that {@link PageStore#write} accepts. */
public record GranuleRange(PageKey key, int pageLengthBytes, int offsetInPage, ByteBuffer granules)
{}
