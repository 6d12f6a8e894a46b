// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The parts of a result's key other than the leaf. Immutable. */
public final class SplitKey
{
    private final byte[] identity;

    private SplitKey(byte[] identity)
    {
        this.identity = identity;
    }

    byte[] identity()
    {
        return identity;
    }

    /** Returns a builder without parts. */
    public static Builder builder()
    {
        return new Builder();
    }

    /** Collects the parts, in any order. */
    public static final class Builder
    {
        private final Map<KeyPart, byte[]> parts = new EnumMap<>(KeyPart.class);

        private Builder()
        {}

        /** Sets a part to a hash of the written content. */
        public Builder with(KeyPart part, Consumer<IdentityWriter> content)
        {
            IdentityWriter writer = new IdentityWriter();
            content.accept(writer);
            parts.put(part, writer.toHash());
            return this;
        }

        /** Returns a new builder with the parts of this one, so that parts that many splits share are written and hashed once. */
        public Builder copy()
        {
            Builder copy = new Builder();
            copy.parts.putAll(parts);
            return copy;
        }

        /**
         * Builds the key.
         *
         * @throws IllegalStateException if a part is missing
         */
        public SplitKey build()
        {
            Set<KeyPart> missing = EnumSet.allOf(KeyPart.class);
            missing.removeAll(parts.keySet());
            if (!missing.isEmpty()) {
                throw new IllegalStateException("The key lacks " + missing);
            }
            IdentityWriter writer = new IdentityWriter();
            parts.forEach((part, content) -> writer.text(part.name()).bytes(content));
            return new SplitKey(writer.toBytes());
        }
    }
}
