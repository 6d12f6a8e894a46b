package io.eyrie.cache.page;

import java.nio.ByteBuffer;

/** Neighbouring granules of one page, as {@link PageStore#write} takes them. */
public record GranuleRun(PageKey key, int pageLengthBytes, int offsetInPage, ByteBuffer granules)
{}
