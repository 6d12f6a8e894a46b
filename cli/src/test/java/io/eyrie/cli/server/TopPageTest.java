// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import io.eyrie.cli.server.TopPage.LayerCounters;
import io.eyrie.cli.server.TopPage.TableLayer;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class TopPageTest
{
    private static final TableLayer CLICKS = new TableLayer("web", "clicks", "data");
    private static final TableLayer USERS = new TableLayer("web", "users", "data");
    private static final TableLayer IDLE = new TableLayer("web", "idle", "data");

    @Test
    void ratesAreThoseSinceThePageBefore()
    {
        Map<TableLayer, LayerCounters> before = Map.of(
                CLICKS, new LayerCounters(100, 0, 100, 10, 0, 1000, 5),
                USERS, new LayerCounters(500, 0, 500, 50, 0, 50_000, 5),
                IDLE, new LayerCounters(1, 1, 1, 1, 1, 1, 1));
        Map<TableLayer, LayerCounters> now = Map.of(
                CLICKS, new LayerCounters(150, 10 << 20, 150, 20, 1 << 20, 1500, 7 << 20),
                // a node was restarted
                USERS, new LayerCounters(30, 0, 0, 0, 0, 0, 0),
                IDLE, new LayerCounters(1, 1, 1, 1, 1, 1, 1));
        String page = new TopPage("hive", before, now, 10, 30).text();
        assertThat(page).startsWith("Catalog hive, the last 10 seconds");
        assertThat(page).containsPattern("web.clicks +data +10.0 +50.0 % +1MB +1.0 +102.40kB +50.0 +7MB");
        assertThat(page).doesNotContain("web.idle", "web.users");
        assertThat(page).containsPattern("all tables +data +10.0 ");
        assertThat(page).containsPattern("all tables +metastore +0.0 +- ");
    }

    @Test
    void tablesThatWaitLongestComeFirst()
    {
        Map<TableLayer, LayerCounters> now = Map.of(
                CLICKS, new LayerCounters(1, 0, 1, 1, 0, 10, 0),
                USERS, new LayerCounters(1, 0, 1, 1, 0, 20, 0),
                IDLE, new LayerCounters(9, 0, 1, 1, 0, 1, 0));
        String page = new TopPage("hive", Map.of(), now, 0, 2).text();
        assertThat(page.indexOf("web.users")).isPositive().isLessThan(page.indexOf("web.clicks"));
        assertThat(page).doesNotContain("web.idle").containsPattern("all tables +data +14 ");
    }
}
