// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.files;

import com.facebook.presto.hive.BlockLocation;
import com.facebook.presto.hive.HiveFileInfo;
import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import io.eyrie.metastore.stored.PackedText;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Encodes lists of files. */
final class ListCodec
{
    private ListCodec()
    {}

    /** Returns the bytes of a list; empty if they would not be read as the same list. */
    static Optional<byte[]> encode(List<HiveFileInfo> files)
    {
        ByteArrayDataOutput out = ByteStreams.newDataOutput();
        String prefix = prefix(files);
        PackedText.write(prefix, out);
        out.writeInt(files.size());
        files.forEach(file -> {
            PackedText.write(file.getPath().substring(prefix.length()), out);
            out.writeBoolean(file.isDirectory());
            out.writeLong(file.getLength());
            out.writeLong(file.getFileModifiedTime());
            out.writeInt(file.getBlockLocations().size());
            file.getBlockLocations().forEach(block -> {
                PackedText.write(block.getHosts(), out);
                out.writeLong(block.getOffset());
                out.writeLong(block.getLength());
            });
            out.writeBoolean(file.getExtraFileInfo().isPresent());
            file.getExtraFileInfo().ifPresent(extra -> {
                out.writeInt(extra.length);
                out.write(extra);
            });
            PackedText.write(file.getCustomSplitInfo(), out);
        });
        byte[] bytes = out.toByteArray();
        List<HiveFileInfo> again = decode(ByteBuffer.wrap(bytes));
        boolean same = again.equals(files);
        for (int i = 0; same && i < files.size(); i++) { // equality of Presto's class may leave this out
            same = Arrays.equals(extra(files.get(i)), extra(again.get(i)));
        }
        return same ? Optional.of(bytes) : Optional.empty();
    }

    private static byte[] extra(HiveFileInfo file)
    {
        return file.getExtraFileInfo().orElse(new byte[0]);
    }

    /** Throws any unchecked exception if the bytes are not those of a list. */
    static List<HiveFileInfo> decode(ByteBuffer bytes)
    {
        ByteBuffer in = bytes.duplicate();
        String prefix = PackedText.read(in);
        int size = in.getInt();
        List<HiveFileInfo> files = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            String path = prefix + PackedText.read(in);
            boolean directory = in.get() != 0;
            long length = in.getLong();
            long modified = in.getLong();
            List<BlockLocation> blocks = new ArrayList<>();
            int count = in.getInt();
            for (int block = 0; block < count; block++) {
                blocks.add(new BlockLocation(PackedText.readList(in), in.getLong(), in.getLong()));
            }
            Optional<byte[]> extra = Optional.empty();
            if (in.get() != 0) {
                byte[] found = new byte[in.getInt()];
                in.get(found);
                extra = Optional.of(found);
            }
            files.add(new HiveFileInfo(path, directory, List.copyOf(blocks), length, modified, extra, PackedText.readMap(in)));
        }
        return List.copyOf(files);
    }

    private static String prefix(List<HiveFileInfo> files)
    {
        String first = files.isEmpty() ? "" : files.get(0).getPath();
        int length = first.lastIndexOf('/') + 1;
        for (HiveFileInfo file : files) {
            while (!file.getPath().startsWith(first.substring(0, length))) {
                length = first.lastIndexOf('/', length - 2) + 1;
            }
        }
        return first.substring(0, length);
    }
}
