// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.result;

import io.eyrie.fragment.key.OutputId;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The column sets that have results, newest first. Encoding: for each set, the number of columns and their ids. */
final class KnownOutputs
{
    private static final int MOST = 8;

    private KnownOutputs()
    {}

    static List<List<OutputId>> read(Optional<byte[]> bytes)
    {
        List<List<OutputId>> known = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(bytes.orElse(new byte[0]));
        while (in.remaining() >= Integer.BYTES) {
            int width = in.getInt();
            if (width < 0 || width > in.remaining() / OutputId.BYTES) {
                return known;
            }
            List<OutputId> outputs = new ArrayList<>(width);
            for (int i = 0; i < width; i++) {
                outputs.add(new OutputId(in.getLong(), in.getLong()));
            }
            known.add(outputs);
        }
        return known;
    }

    /** Returns the bytes with this set added; empty if they already contain it. */
    static Optional<byte[]> with(Optional<byte[]> bytes, List<OutputId> outputs)
    {
        List<List<OutputId>> known = read(bytes);
        if (known.contains(outputs)) {
            return Optional.empty();
        }
        known.add(0, outputs);
        List<List<OutputId>> kept = known.subList(0, Math.min(MOST, known.size()));
        ByteBuffer out = ByteBuffer.allocate(kept.stream().mapToInt(set -> Integer.BYTES + set.size() * OutputId.BYTES).sum());
        for (List<OutputId> set : kept) {
            out.putInt(set.size());
            set.forEach(output -> out.putLong(output.high()).putLong(output.low()));
        }
        return Optional.of(out.array());
    }
}
