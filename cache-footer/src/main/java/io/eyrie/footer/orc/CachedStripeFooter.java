// SPDX-License-Identifier: Apache-2.0
package io.eyrie.footer.orc;

import com.facebook.presto.orc.metadata.ColumnEncoding;
import com.facebook.presto.orc.metadata.StripeFooter;
import io.airlift.slice.Slice;
import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** A cached stripe footer: its bytes as they are in the file, and their parsed contents once a reader has parsed them. Immutable. */
public final class CachedStripeFooter
{
    /* Estimates from the most numerous parts; the test compares them with measured footers. */
    private static final int STREAM_BYTES = 48;
    private static final int OFFSET_BYTES = 40;
    private static final int ENCODING_BYTES = 88;
    private static final int SEQUENCE_BYTES = 120;
    private static final int FOOTER_BYTES = 300;

    private final Slice bytes;
    // ORC and DWRF readers interpret the same bytes differently
    private final @Nullable Class<?> reader;
    private final @Nullable StripeFooter footer;

    CachedStripeFooter(Slice bytes)
    {
        this(bytes, null, null);
    }

    private CachedStripeFooter(Slice bytes, @Nullable Class<?> reader, @Nullable StripeFooter footer)
    {
        this.bytes = requireNonNull(bytes, "bytes is null");
        this.reader = reader;
        this.footer = footer;
    }

    CachedStripeFooter parsed(Class<?> by, StripeFooter parsed)
    {
        return new CachedStripeFooter(bytes, by, parsed);
    }

    Slice bytes()
    {
        return bytes;
    }

    /** Returns the contents as parsed by this kind of reader. */
    Optional<StripeFooter> footer(Class<?> by)
    {
        return by == reader ? Optional.ofNullable(footer) : Optional.empty();
    }

    /** Returns the estimated memory that this retains, in bytes. */
    public long weight()
    {
        return FOOTER_BYTES + bytes.getRetainedSize() + (footer == null ? 0 : weight(footer));
    }

    private static long weight(StripeFooter footer)
    {
        long streams = footer.getStreams().stream().mapToLong(stream -> STREAM_BYTES + (stream.getOffset().isPresent() ? OFFSET_BYTES : 0)).sum();
        Collection<ColumnEncoding> encodings = footer.getColumnEncodings().values();
        long sequences = encodings.stream().mapToLong(encoding -> encoding.getAdditionalSequenceEncodings().map(more -> more.size()).orElse(0)).sum();
        long encrypted = footer.getStripeEncryptionGroups().stream().mapToLong(Slice::getRetainedSize).sum();
        return streams + (long) encodings.size() * ENCODING_BYTES + sequences * SEQUENCE_BYTES + encrypted;
    }
}
