// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.entry;

import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.metastore.stored.PackedText;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * What a process stored last: everything that determines which stored entries are valid.
 *
 * @param position up to which all events of the log were applied; nothing without a log
 * @param mark the crash mark when it began to write
 * @param newestVersion at least every version below
 * @param indexes the indexes of the stored entries of each subject, in their order
 */
public record StoredRoot(ByteBuffer position, long mark, long newestVersion, List<SubjectState> subjects, List<Map<MetastoreView, BlobKey>> indexes)
{
    static final int FORMAT = 3;

    public StoredRoot
    {
        requireNonNull(position, "position is null");
        subjects = List.copyOf(subjects);
        indexes = List.copyOf(indexes);
    }

    byte[] encode()
    {
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        out.writeInt(FORMAT);
        out.writeInt(position.remaining());
        out.write(EntryCodec.bytes(position));
        out.writeLong(mark);
        out.writeLong(newestVersion);
        out.writeInt(subjects.size());
        for (int i = 0; i < subjects.size(); i++) {
            write(subjects.get(i), out);
            out.writeInt(indexes.get(i).size());
            indexes.get(i).forEach((reader, index) -> {
                PackedText.write(reader.user(), out);
                out.writeBoolean(reader.userDefinedTypes());
                out.writeLong(index.hashHigh());
                out.writeLong(index.hashLow());
            });
        }
        return out.toByteArray();
    }

    private static void write(SubjectState state, ByteArrayDataOutput out)
    {
        PackedText.write(state.database(), out);
        PackedText.write(state.table(), out);
        out.writeLong(state.version());
        out.writeLong(state.namesVersion());
        out.writeLong(state.listsVersion());
        PackedText.write(List.copyOf(state.lossyValues()), out);
        out.writeInt(state.changedPartitions().size());
        state.changedPartitions().forEach((values, version) -> {
            PackedText.write(values, out);
            out.writeLong(version);
        });
    }

    /** Returns an empty optional for another format. Throws any unchecked exception if the bytes are not those of a root. */
    static Optional<StoredRoot> decode(byte[] bytes)
    {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (in.getInt() != FORMAT) {
            return Optional.empty();
        }
        byte[] position = new byte[in.getInt()];
        in.get(position);
        long mark = in.getLong();
        long newestVersion = in.getLong();
        List<SubjectState> subjects = new ArrayList<>();
        List<Map<MetastoreView, BlobKey>> indexes = new ArrayList<>();
        int size = in.getInt();
        for (int i = 0; i < size; i++) {
            subjects.add(state(in));
            Map<MetastoreView, BlobKey> ofReaders = new HashMap<>();
            int readers = in.getInt();
            for (int j = 0; j < readers; j++) {
                MetastoreView reader = new MetastoreView(PackedText.read(in), in.get() != 0);
                ofReaders.put(reader, new BlobKey(in.getLong(), in.getLong()));
            }
            indexes.add(ofReaders);
        }
        return Optional.of(new StoredRoot(ByteBuffer.wrap(position), mark, newestVersion, subjects, indexes));
    }

    private static SubjectState state(ByteBuffer in)
    {
        String database = PackedText.read(in);
        String table = PackedText.read(in);
        long version = in.getLong();
        long namesVersion = in.getLong();
        long listsVersion = in.getLong();
        Set<String> lossyValues = Set.copyOf(PackedText.readList(in));
        Map<List<String>, Long> changed = new HashMap<>();
        int changes = in.getInt();
        for (int i = 0; i < changes; i++) {
            List<String> values = PackedText.readList(in);
            changed.put(values, in.getLong());
        }
        return new SubjectState(database, table, version, namesVersion, listsVersion, lossyValues, changed);
    }
}
