// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.file;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class UnchangedFileTest
{
    private static final UnchangedFile.RangeRead FAILING = () -> {
        throw new IOException("precondition failed");
    };

    private final List<String> events = new ArrayList<>();
    private final UnchangedFile<Integer> plain = new UnchangedFile<>(new Version(), false);
    private final UnchangedFile<Integer> conditional = new UnchangedFile<>(new Version(), true);
    private int version = 1;
    private @Nullable IOException unavailable;

    private final class Version
            implements UnchangedFile.Store<Integer>
    {
        @Override
        public Integer status()
                throws IOException
        {
            events.add("status");
            if (unavailable != null) {
                throw unavailable;
            }
            return version;
        }

        @Override
        public boolean isSame(Integer found)
        {
            return found == 1;
        }

        @Override
        public IOException changed(Integer found, @Nullable Exception failure)
        {
            return new IOException("changed to " + found, failure);
        }

        @Override
        public void onChange()
        {
            events.add("changed");
        }
    }

    @Test
    void conditionalReadAsksOnlyAfterAFailure()
            throws IOException
    {
        conditional.read(() -> events.add("read"));
        assertThat(events).containsExactly("read");
        assertThatThrownBy(() -> conditional.read(FAILING)).hasMessage("precondition failed");
        version = 2;
        assertThatThrownBy(() -> conditional.read(FAILING)).hasMessage("changed to 2").hasRootCauseMessage("precondition failed");
        assertThat(events).containsExactly("read", "status", "status", "changed");
    }

    @Test
    void changeDuringAReadIsSeenAtItsEnd()
            throws IOException
    {
        plain.read(() -> events.add("read"));
        assertThat(events).containsExactly("read", "status");
        assertThatThrownBy(() -> plain.read(() -> version = 3)).hasMessage("changed to 3");
    }

    @Test
    void storeThatDoesNotAnswerFailsAReadThatCannotBeChecked()
    {
        unavailable = new IOException("unavailable");
        assertThatThrownBy(() -> plain.read(() -> {})).isSameAs(unavailable);
        IOException failure = new IOException("precondition failed");
        assertThatThrownBy(() -> plain.read(() -> {
            throw failure;
        })).isSameAs(failure).hasSuppressedException(unavailable);
        unavailable = new FileNotFoundException("gone");
        assertThatThrownBy(() -> plain.read(FAILING)).isSameAs(unavailable);
        assertThat(events).containsExactly("status", "status", "status", "changed");
    }

    @Test
    void interruptedReadAsksNothing()
    {
        assertThatThrownBy(() -> plain.read(() -> {
            throw new InterruptedIOException();
        })).isInstanceOf(InterruptedIOException.class);
        assertThat(events).isEmpty();
    }
}
