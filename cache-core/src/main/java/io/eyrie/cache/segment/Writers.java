// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import java.util.HashMap;
import java.util.Map;

/** The pages that are being written, whose slots are not reused. Guarded by the lock of the {@link PageTable}. */
final class Writers
{
    private final Map<Integer, Pin> pins = new HashMap<>();

    Pin begin(int entry, int location, Segment segment, long granules)
    {
        Pin pin = pins.computeIfAbsent(entry, unused -> new Pin(entry, location, segment));
        pin.begin(granules);
        return pin;
    }

    /** The granules of a page that are being written. */
    long writing(int entry)
    {
        Pin pin = pins.get(entry);
        return pin == null ? 0 : pin.writing();
    }

    /** Ends a writer's part; returns whether the slot is free now. */
    boolean end(Pin pin, long granules)
    {
        pin.end(granules);
        if (pin.isLastWriter() && !pin.isDropped()) {
            pins.remove(pin.entry());
        }
        return pin.isLastWriter() && pin.isDropped();
    }

    /** Notes that a page is dropped; returns whether its slot is free now. */
    boolean drop(int entry)
    {
        Pin pin = pins.remove(entry);
        if (pin != null) {
            pin.drop();
        }
        return pin == null;
    }
}
