// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import com.facebook.presto.spi.ConnectorPageSource;
import com.facebook.presto.spi.FixedPageSource;
import io.eyrie.cache.blob.BlobKey;
import io.eyrie.cache.file.Scope;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class UnreadSplitsTest
{
    private final UnreadSplits unread = new UnreadSplits(1 << 20);
    private int opened;
    private int closed;

    private static Optional<BlobKey> key(int split)
    {
        return Optional.of(BlobKey.of(ByteBuffer.wrap(new byte[] {(byte) split})));
    }

    private ConnectorPageSource accept()
    {
        opened++;
        return new FixedPageSource(List.of()) {
            @Override
            public void close()
            {
                closed++;
            }
        };
    }

    private ConnectorPageSource refuse()
    {
        opened++;
        throw new IllegalStateException("refused");
    }

    @Test
    void acceptedSplitIsOpenedOnceAndClosed()
            throws IOException
    {
        for (int i = 0; i < 3; i++) {
            try (ConnectorPageSource source = unread.check(key(1), this::accept)) {
                assertThat(source.isFinished()).isTrue();
            }
        }
        assertThat(List.of(opened, closed)).containsExactly(1, 1);
        unread.check(key(2), this::accept).close();
        assertThat(List.of(opened, closed)).as("another split").containsExactly(2, 2);
    }

    @Test
    void refusedSplitIsRefusedEachTime()
    {
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> unread.check(key(1), this::refuse)).hasMessage("refused");
        }
        assertThat(opened).isEqualTo(3);
    }

    @Test
    void splitOfUncertainVersionIsOpenedEachTime()
            throws IOException
    {
        for (int i = 0; i < 3; i++) {
            unread.check(Optional.empty(), this::accept).close();
        }
        assertThat(List.of(opened, closed)).containsExactly(3, 3);
    }

    @Test
    void splitIsOpenedAgainAfterAnInvalidation()
            throws IOException
    {
        unread.check(key(1), this::accept).close();
        unread.invalidate(Scope.NONE);
        unread.check(key(1), () -> {
            unread.invalidate(Scope.NONE);
            return accept();
        }).close();
        assertThat(opened).as("the first reader checked another file").isEqualTo(2);
        unread.check(key(1), this::accept).close();
        assertThat(opened).as("the second reader opened it before the invalidation").isEqualTo(3);
    }
}
