// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.file.FileVersion;
import io.eyrie.cache.file.Scope;
import io.eyrie.cache.file.StoreId;
import io.eyrie.cache.file.UnchangedFile;
import io.eyrie.cache.page.RangeSource;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.Serial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * The remote files of a simulation. A new version of a file has the length of the one before. To make the effect of an invalidation visible, the
 * bytes of a version have generations, which real stores do not have: each invalidation begins the next one.
 */
final class SimulatedRemote
{
    private static final int VERSIONS = 3;
    private static final long FILE_SALT = 0x9E3779B97F4A7C15L;
    private static final long VERSION_SALT = 0xC2B2AE3D27D4EB4FL;
    private static final long GENERATION_SALT = 0x165667B19E3779F9L;

    private final Random dice;
    private final Runnable meanwhile;
    private final List<List<Content>> files = new ArrayList<>();
    private int failOneOf = Integer.MAX_VALUE;
    private long reads;

    /** A version of a file, and the generations of its bytes that a reader may see. */
    static final class Content
    {
        final FileVersion version;
        final Scope scope;
        private final int file;
        /** The generation in the store. */
        int generation;
        /** The oldest generation that the cache may have. */
        int oldest;
        /** The oldest generation that the cache may have after the process is killed. */
        int oldestOnDisk;

        Content(FileVersion version, int file)
        {
            this.version = version;
            this.file = file;
            scope = new Scope("hive", "web", "t" + file % 3, "p" + file % 2);
        }

        long length()
        {
            return version.lengthBytes();
        }

        void fill(int ofGeneration, long position, byte[] target, int offset, int length)
        {
            long salt = file * FILE_SALT + (version.modifiedMillis() + version.etag().hashCode()) * VERSION_SALT + ofGeneration * GENERATION_SALT;
            long word = 0;
            for (int i = 0; i < length; i++) {
                long at = position + i;
                word = i == 0 || at % Long.BYTES == 0 ? Mix.mix(salt + at / Long.BYTES) : word;
                target[offset + i] = (byte) (word >>> (at % Long.BYTES * Byte.SIZE));
            }
        }

        boolean has(int ofGeneration, long position, byte[] bytes, int offset, int length)
        {
            byte[] expected = new byte[length];
            fill(ofGeneration, position, expected, 0, length);
            return Arrays.equals(expected, 0, length, bytes, offset, offset + length);
        }

        @Override
        public String toString()
        {
            return version.path() + "#" + version.modifiedMillis() + version.etag().orElse("") + " generations " + oldest + ".." + generation;
        }
    }

    /** Thrown by the remote store. */
    static final class RemoteFailure
            extends IOException
    {
        @Serial
        private static final long serialVersionUID = 1;

        private final transient RangeSource source;

        RemoteFailure(RangeSource source, String message)
        {
            super(message);
            this.source = source;
        }

        boolean isOf(RangeSource of)
        {
            return source == of;
        }
    }

    /** @param meanwhile runs while the remote store is read */
    SimulatedRemote(Random dice, long[] lengths, Runnable meanwhile)
    {
        this.dice = dice;
        this.meanwhile = meanwhile;
        for (int file = 0; file < lengths.length; file++) {
            files.add(new ArrayList<>());
            change(file, lengths[file], 0);
        }
    }

    private void change(int file, long length, int number)
    {
        // some stores provide modification times, others ETags
        FileVersion version = new FileVersion(
                StoreId.shared("s3"),
                "/file" + file,
                length,
                file % 2 == 0 ? number : 0,
                file % 2 == 0 ? Optional.empty() : Optional.of("e" + number));
        files.get(file).add(0, new Content(version, file));
        if (files.get(file).size() > VERSIONS) {
            files.get(file).remove(VERSIONS);
        }
    }

    /** Overwrites a file. */
    void change(int number)
    {
        Content latest = files.get(number).get(0);
        change(number, latest.length(), numberOf(latest.version) + 1);
    }

    private static int numberOf(FileVersion version)
    {
        return version.etag().map(etag -> Integer.parseInt(etag.substring(1))).orElse((int) version.modifiedMillis());
    }

    int files()
    {
        return files.size();
    }

    /** Returns a version of a random file, usually the latest. */
    Content any()
    {
        List<Content> versions = files.get(dice.nextInt(files.size()));
        return versions.get(dice.nextInt(5) == 0 ? dice.nextInt(versions.size()) : 0);
    }

    /** Returns the latest version of the same file. */
    Content latest(Content content)
    {
        return files.get(content.file).get(0);
    }

    List<Content> all()
    {
        List<Content> all = new ArrayList<>();
        files.forEach(all::addAll);
        return all;
    }

    /** From now on, one of {@code failing} reads fails. */
    void failOneOf(int failing)
    {
        failOneOf = failing;
    }

    /** Returns how many ranges were requested. */
    long reads()
    {
        return reads;
    }

    RangeSource source(Content content)
    {
        return new Source(content);
    }

    private final class Source
            implements RangeSource
    {
        private final Content content;
        private final UnchangedFile<Content> file;
        private final boolean conditional;
        private boolean closed;

        Source(Content content)
        {
            this.content = content;
            conditional = content.version.etag().isPresent();
            file = new UnchangedFile<>(new UnchangedFile.Store<>() {
                @Override
                public Content status()
                {
                    return latest();
                }

                @Override
                public boolean isSame(Content found)
                {
                    return found == content;
                }

                @Override
                public IOException changed(Content found, @Nullable Exception failure)
                {
                    return failure instanceof RemoteFailure own ? own : failure("the file is another by now");
                }
            }, conditional);
        }

        private Content latest()
        {
            return SimulatedRemote.this.latest(content);
        }

        private RemoteFailure failure(String message)
        {
            return new RemoteFailure(this, message);
        }

        @Override
        public void readFully(long position, byte[] buffer, int offset, int length)
                throws IOException
        {
            if (closed || position < 0 || length <= 0 || position + length > content.length()) {
                throw new IllegalStateException("asked for " + position + "+" + length + " of " + content + (closed ? ", which is closed" : ""));
            }
            reads++;
            file.read(() -> answer(position, buffer, offset, length));
        }

        private void answer(long position, byte[] buffer, int offset, int length)
                throws IOException
        {
            boolean early = dice.nextBoolean();
            Content answering = early ? latest() : null;
            if (answering != null) {
                answering.fill(answering.generation, position, buffer, offset, length);
            }
            meanwhile.run();
            if (answering == null) {
                answering = latest();
                answering.fill(answering.generation, position, buffer, offset, length);
            }
            if (conditional && answering != content) {
                throw failure("412");
            }
            if (dice.nextInt(failOneOf) == 0) {
                int bytes = dice.nextInt(length + 1);
                Arrays.fill(buffer, offset + bytes, offset + length, (byte) 0x55);
                throw failure(dice.nextBoolean() ? "503" : "the answer ends after " + bytes + " bytes of " + length);
            }
        }

        @Override
        public void close()
        {
            closed = true;
        }
    }
}
