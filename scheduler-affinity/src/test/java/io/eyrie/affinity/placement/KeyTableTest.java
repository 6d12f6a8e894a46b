// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class KeyTableTest
{
    @Property(tries = 100)
    void behavesUnlikeAMap(@ForAll @Size(max = 1500) List<@LongRange(min = -900, max = 900) Long> keys)
    {
        KeyTable table = new KeyTable();
        Map<Long, int[]> model = new HashMap<>();
        int step = 0;
        for (long raw : keys) {
            // half of the keys share their lower bits
            long key = raw % 2 == 0 ? raw : raw << 40;
            step++;
            int slot = table.find(key);
            int[] known = model.get(key);
            if (known == null) {
                assertThat(slot).isNegative();
                table.put(key, step % 1000, step);
                model.put(key, new int[] {step % 1000, step});
            }
            else {
                assertThat(new int[] {table.owner(slot), table.current(slot)}).isEqualTo(known);
                table.setCurrent(slot, step);
                known[1] = step;
            }
        }
        model.forEach((key, known) -> assertThat(new int[] {table.owner(table.find(key)), table.current(table.find(key))}).isEqualTo(known));
    }
}
