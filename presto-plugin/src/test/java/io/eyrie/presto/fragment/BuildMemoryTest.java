// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.fragment;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

/** Build sides of all queries hold bounded memory, and idle ones give way. */
class BuildMemoryTest
{
    private final AtomicLong now = new AtomicLong();
    private final BuildMemory memory = new BuildMemory(100, 100, now::get);

    /** Holds some memory until it is dropped. */
    private final class Side
            implements BuildMemory.Holder
    {
        private long held;

        boolean grow(long bytes)
        {
            boolean granted = memory.grow(bytes);
            held += granted ? bytes : 0;
            return granted;
        }

        @Override
        public long heldBytes()
        {
            return held;
        }

        @Override
        public long drop()
        {
            long dropped = held;
            held = 0;
            return dropped;
        }
    }

    @Test
    void beyondTheBoundNothingIsGranted()
    {
        Side one = new Side();
        Side other = new Side();
        assertThat(one.grow(60)).isTrue();
        assertThat(other.grow(41)).isFalse();
        assertThat(other.grow(40)).isTrue();
        assertThat(memory.reservedBytes()).isEqualTo(100);
    }

    @Test
    void idleSidesGiveWayOldestFirst()
    {
        Side first = new Side();
        Side second = new Side();
        first.grow(50);
        second.grow(50);
        memory.idle(first);
        memory.idle(second);
        assertThat(new Side().grow(20)).isTrue();
        assertThat(first.held).isZero();
        assertThat(second.held).isEqualTo(50);
        assertThat(memory.reservedBytes()).isEqualTo(70);
    }

    @Test
    void idleSidesHaveTheirOwnBound()
    {
        BuildMemory bounded = new BuildMemory(100, 50, now::get);
        Side first = new Side();
        Side second = new Side();
        first.held = 30;
        second.held = 30;
        bounded.grow(60);
        bounded.idle(first);
        assertThat(first.held).isEqualTo(30);
        bounded.idle(second);
        assertThat(first.held).isZero();
        assertThat(second.held).isEqualTo(30);
        assertThat(bounded.reservedBytes()).isEqualTo(30);
        Side large = new Side();
        large.held = 60;
        bounded.busy(second);
        bounded.idle(large);
        assertThat(large.held).isZero();
    }

    @Test
    void aSideInUseIsNotDropped()
    {
        Side used = new Side();
        used.grow(90);
        memory.idle(used);
        memory.busy(used);
        assertThat(new Side().grow(20)).isFalse();
        assertThat(used.held).isEqualTo(90);
    }

    @Test
    void sidesIdleForLongAreDropped()
    {
        Side old = new Side();
        old.grow(10);
        memory.idle(old);
        now.addAndGet(Duration.ofMinutes(2).toNanos());
        memory.idle(new Side());
        assertThat(old.held).isZero();
        assertThat(memory.reservedBytes()).isZero();
    }
}
