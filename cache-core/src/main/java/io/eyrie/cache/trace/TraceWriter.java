// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.trace;

import io.eyrie.cache.file.Scope;
import io.eyrie.cache.store.PageKey;
import io.eyrie.cache.store.PageTags;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Writes a trace. Its memory does not grow with the trace. Not thread-safe. */
public final class TraceWriter
        implements AutoCloseable
{
    private static final int SALT_BYTES = 16;
    private static final int HASHED_NAME_BYTES = 8;

    private final DataOutputStream out;
    private final boolean hashNames;
    private final byte[] salt = new byte[SALT_BYTES];
    /** By the key of the file's page 0. */
    private final Map<PageKey, Integer> files = new HashMap<>();
    private final Map<PageTags, Integer> tagNumbers = new HashMap<>();
    private long lastMillis;

    /**
     * Starts a trace; closes {@code out} in the end.
     *
     * @param hashNames writes catalogs, schemas, tables and partitions as hashes that are useless outside the trace
     */
    public TraceWriter(OutputStream out, boolean hashNames)
            throws IOException
    {
        this.hashNames = hashNames;
        new SecureRandom().nextBytes(salt);
        this.out = new DataOutputStream(new BufferedOutputStream(new GZIPOutputStream(out, true)));
        this.out.writeLong(TraceFormat.MAGIC);
    }

    public void write(TraceRecord record)
            throws IOException
    {
        if (files.size() == TraceFormat.MOST_NUMBERS || tagNumbers.size() == TraceFormat.MOST_NUMBERS) {
            files.clear();
            tagNumbers.clear();
            out.writeByte(TraceFormat.FORGET);
        }
        int file = file(record.page());
        int tags = tags(record.tags());
        out.writeByte(TraceFormat.LOOKUP);
        TraceFormat.writeNumber(out, TraceFormat.zigzag(record.epochMillis() - lastMillis));
        lastMillis = record.epochMillis();
        TraceFormat.writeNumber(out, file);
        TraceFormat.writeNumber(out, tags);
        TraceFormat.writeNumber(out, record.page().pageNumber());
        TraceFormat.writeNumber(out, record.pageLengthBytes());
        TraceFormat.writeNumber(out, record.offsetInPage());
        TraceFormat.writeNumber(out, record.lengthBytes());
        out.writeByte(TraceFormat.OUTCOMES.indexOf(record.outcome()));
    }

    /** Records that this many lookups are missing here. */
    public void writeLost(long lookups)
            throws IOException
    {
        out.writeByte(TraceFormat.LOST);
        TraceFormat.writeNumber(out, lookups);
    }

    /** Makes the lookups written so far readable before the trace has ended; in an encrypted trace, only whole frames. Costs a few bytes. */
    void flush()
            throws IOException
    {
        out.flush();
    }

    /** Ends the trace; reading a trace without an end ends with an {@code EOFException}. */
    @Override
    public void close()
            throws IOException
    {
        try (out) {
            out.writeByte(TraceFormat.END);
        }
    }

    private int file(PageKey page)
            throws IOException
    {
        PageKey first = page.page(0);
        Integer known = files.get(first);
        if (known != null) {
            return known;
        }
        files.put(first, files.size());
        out.writeByte(TraceFormat.FILE);
        out.writeLong(page.hashHigh());
        out.writeLong(page.hashLow());
        return files.size() - 1;
    }

    private int tags(PageTags tags)
            throws IOException
    {
        Integer known = tagNumbers.get(tags);
        if (known != null) {
            return known;
        }
        tagNumbers.put(tags, tagNumbers.size());
        Scope scope = tags.scope();
        out.writeByte(TraceFormat.TAGS);
        writeName(scope.catalog());
        writeName(scope.schema());
        writeName(scope.table());
        writeName(scope.partition());
        out.writeByte(TraceFormat.CLASSES.indexOf(tags.storageClass()));
        return tagNumbers.size() - 1;
    }

    private void writeName(String name)
            throws IOException
    {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > TraceFormat.LONGEST_NAME_BYTES || (hashNames && bytes.length > 0)) {
            bytes = hashed(bytes).getBytes(StandardCharsets.UTF_8);
        }
        TraceFormat.writeNumber(out, bytes.length);
        out.write(bytes);
    }

    private String hashed(byte[] name)
    {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(salt);
            return HexFormat.of().formatHex(digest.digest(name), 0, HASHED_NAME_BYTES);
        }
        catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
