// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.filesystem;

import io.eyrie.cache.admission.WriteBudget;
import org.junit.jupiter.api.Test;

import java.util.OptionalLong;

import static org.assertj.core.api.Assertions.assertThat;

class QueryBudgetsTest
{
    @Test
    void filesOfOneQueryShareItsBudget()
    {
        QueryBudgets budgets = new QueryBudgets(OptionalLong.of(100));
        assertThat(budgets.of("a").take(60)).isTrue();
        assertThat(budgets.of("a").take(60)).isFalse();
        assertThat(budgets.of("b").take(60)).isTrue();
    }

    @Test
    void unsetIsUnlimited()
    {
        assertThat(new QueryBudgets(OptionalLong.empty()).of("a")).isSameAs(WriteBudget.UNLIMITED);
    }
}
