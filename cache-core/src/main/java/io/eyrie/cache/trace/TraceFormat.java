// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.trace;

import io.eyrie.cache.store.ReadOutcome;
import io.eyrie.cache.store.StorageClass;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/** The constants and encodings of docs/formats/trace-v1.md. */
final class TraceFormat
{
    static final long MAGIC = 0x4559524945545201L; // EYRIETR, version 1
    static final long SEALED_MAGIC = 0x4559524945545345L; // EYRIETSE
    /** The length of an encrypted frame; the last one is shorter. */
    static final int FRAME_BYTES = 1 << 12;
    static final int LOOKUP = 1;
    static final int FILE = 2;
    static final int TAGS = 3;
    static final int LOST = 4;
    static final int FORGET = 5;
    static final int END = 6;
    /** Maximum number of files, and of tags, that are numbered at a time. */
    static final int MOST_NUMBERS = 1 << 16;
    static final int LONGEST_NAME_BYTES = 1 << 16;

    /** By number in a trace; append new ones. */
    static final List<ReadOutcome> OUTCOMES = List.of(
            ReadOutcome.HIT,
            ReadOutcome.MISS,
            ReadOutcome.DECLINED,
            ReadOutcome.BUSY,
            ReadOutcome.CORRUPT,
            ReadOutcome.DEVICE_ERROR);
    static final List<StorageClass> CLASSES = List.of(StorageClass.FOOTER, StorageClass.DATA, StorageClass.RESULT);

    private TraceFormat()
    {}

    /** Seven bits per byte, the low ones first; the eighth bit is set if more bytes follow. */
    static void writeNumber(DataOutputStream out, long value)
            throws IOException
    {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.writeByte((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        out.writeByte((int) rest);
    }

    static long readNumber(DataInputStream in)
            throws IOException
    {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = in.readUnsignedByte();
            value |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IOException("a number of the trace is longer than ten bytes");
    }

    /** Encodes numbers close to zero, of either sign, as small numbers. */
    static long zigzag(long value)
    {
        return (value << 1) ^ (value >> (Long.SIZE - 1));
    }

    static long unzigzag(long value)
    {
        return (value >>> 1) ^ -(value & 1);
    }
}
