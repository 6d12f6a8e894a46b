// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import com.facebook.airlift.json.JsonCodec;
import com.facebook.airlift.json.JsonCodecFactory;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

import static java.util.Objects.requireNonNull;

/**
 * A {@link ControlState} as it travels in the layout of every scan.
 *
 * @param origin the state's; with the epoch, it lets a worker that already applies the state ignore the text
 * @param text the state as compressed JSON, in Base64
 */
public record PackedState(@JsonProperty("origin") String origin, @JsonProperty("epoch") long epoch, @JsonProperty("text") String text)
{
    /** In the place of the state, if the coordinator does not know it. */
    static final PackedState UNKNOWN = new PackedState("", -1, "");

    // without the indentation of JsonCodec.jsonCodec
    private static final JsonCodec<ControlState> CODEC = new JsonCodecFactory().jsonCodec(ControlState.class);

    @JsonCreator
    public PackedState
    {
        requireNonNull(origin, "origin is null");
        requireNonNull(text, "text is null");
    }

    static PackedState of(ControlState state)
    {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
            out.write(CODEC.toJsonBytes(state));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new PackedState(state.origin(), state.epoch(), Base64.getEncoder().encodeToString(bytes.toByteArray()));
    }

    ControlState unpacked()
    {
        try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(text)))) {
            return CODEC.fromJson(in.readAllBytes());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
