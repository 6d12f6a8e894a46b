// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.select;

import com.facebook.presto.spi.InMemoryRecordSet;
import com.facebook.presto.spi.RecordCursor;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import static com.facebook.presto.common.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SelectedRowsTest
{
    private int failures;

    @Test
    void everyRowOnce()
    {
        for (List<List<Long>> expected : List.of(List.<List<Long>>of(), List.of(List.of(1L)), List.of(List.of(1L), List.of(2L), List.of(3L)))) {
            RecordCursor rows = new SelectedRows(cursor(expected), () -> failures++);
            List<List<Long>> read = new ArrayList<>();
            while (rows.advanceNextPosition()) {
                read.add(List.of(rows.getLong(0)));
            }
            assertThat(rows.advanceNextPosition()).isFalse();
            assertThat(read).isEqualTo(expected);
        }
        assertThat(failures).isZero();
    }

    @Test
    void failureBeforeTheFirstRowIsTheOpeners()
    {
        assertThatThrownBy(() -> new SelectedRows(failingAfter(0), () -> failures++)).isInstanceOf(IllegalStateException.class);
        assertThat(failures).isZero();
    }

    @Test
    void failureLaterIsTold()
    {
        RecordCursor rows = new SelectedRows(failingAfter(1), () -> failures++);
        assertThat(rows.advanceNextPosition()).isTrue();
        assertThatThrownBy(rows::advanceNextPosition).isInstanceOf(IllegalStateException.class);
        assertThat(failures).isEqualTo(1);
    }

    private static RecordCursor cursor(List<List<Long>> rows)
    {
        return new InMemoryRecordSet(List.of(BIGINT), rows).cursor();
    }

    private static RecordCursor failingAfter(int rows)
    {
        RecordCursor cursor = cursor(List.of(List.of(1L)));
        int[] left = {rows};
        return (RecordCursor) Proxy.newProxyInstance(RecordCursor.class.getClassLoader(), new Class<?>[] {RecordCursor.class}, (proxy, method,
                arguments) -> {
            if (method.getName().equals("advanceNextPosition") && left[0]-- == 0) {
                throw new IllegalStateException("broken");
            }
            return method.invoke(cursor, arguments);
        });
    }
}
