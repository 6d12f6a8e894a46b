// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Util;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Gives a Parquet file the footer that an old writer would have given it. */
final class OldParquet
{
    private static final int MAGIC_BYTES = 4;

    private OldParquet()
    {}

    /** Replaces the name of the writer, and the statistics of the file's only column, which has no nulls. */
    static byte[] written(byte[] file, String writer, String min, String max)
    {
        int end = file.length - MAGIC_BYTES - Integer.BYTES;
        int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(file, 0, end - length);
        try {
            FileMetaData footer = Util.readFileMetaData(new ByteArrayInputStream(file, end - length, length));
            footer.setCreated_by(writer);
            footer.getRow_groups().forEach(rows -> rows.getColumns().get(0).getMeta_data().setStatistics(
                    new Statistics().setMin(min.getBytes(UTF_8)).setMax(max.getBytes(UTF_8)).setNull_count(0)));
            Util.writeFileMetaData(footer, out);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int written = out.size() - (end - length);
        out.writeBytes(ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(written).array());
        out.write(file, end + Integer.BYTES, MAGIC_BYTES);
        return out.toByteArray();
    }
}
