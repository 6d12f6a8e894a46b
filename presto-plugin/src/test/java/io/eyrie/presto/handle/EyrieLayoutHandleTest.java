// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.handle;

import com.facebook.airlift.json.JsonCodecFactory;
import com.facebook.airlift.json.JsonObjectMapperProvider;
import com.facebook.presto.common.block.Block;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import io.eyrie.presto.control.ControlState;
import io.eyrie.presto.control.PackedState;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/** The size of layouts as the engine writes them. */
class EyrieLayoutHandleTest
{
    @Test
    void plainLayoutIsHardlyLargerThanThatOfPresto()
    {
        assertThat(bytes(EyrieLayoutHandle.own(HiveLayouts.ORDERS))).isLessThan(bytes(HiveLayouts.ORDERS) * 6 / 5);
    }

    /* docs/operating.md states the bound */
    @Test
    void commandsOfOperatorsAddNoMoreThanTheirBound()
    {
        String text = "x".repeat(2 * ControlState.MOST_PACKED_BYTES);
        PackedState control = new PackedState("1c2f6f6e-7f1c-4f0f-9d8e-0a5f1c2b3d4e", 1_767_225_600_000L, text);
        int added = bytes(EyrieLayoutHandle.plain(HiveLayouts.ORDERS, Optional.of(control), Optional.empty())) - bytes(EyrieLayoutHandle.own(
                HiveLayouts.ORDERS));
        assertThat(added).isLessThan((8 << 10) + 200);
    }

    private static int bytes(Object layout)
    {
        JsonObjectMapperProvider mapper = new JsonObjectMapperProvider();
        // the engine's own serializer is not here; a constant takes as many bytes in both layouts
        mapper.setJsonSerializers(Map.of(Block.class, new JsonSerializer<Block>() {
            @Override
            public void serialize(Block block, JsonGenerator generator, SerializerProvider provider)
                    throws IOException
            {
                generator.writeBinary(new byte[(int) block.getSizeInBytes()]);
            }
        }));
        return new JsonCodecFactory(mapper).jsonCodec(Object.class).toJsonBytes(layout).length;
    }
}
