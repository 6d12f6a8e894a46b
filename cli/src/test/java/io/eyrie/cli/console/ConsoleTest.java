// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.console;

import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;

class ConsoleTest
{
    @Test
    void progressTellsTheTimeSinceTheBegin()
    {
        AtomicLong nanos = new AtomicLong(5_000_000_000L);
        StringWriter written = new StringWriter();
        Console console = new Console(new PrintWriter(written), nanos::get);
        nanos.addAndGet(12_340_000_000L);

        console.progress("all nodes are active");
        console.print("as it is");

        assertThat(written.toString().lines()).containsExactly("[  12.3 s] all nodes are active", "as it is");
    }
}
