// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.console;

import io.eyrie.cache.metric.Metric;
import io.eyrie.presto.config.PriceConfig.Prices;
import io.eyrie.presto.ledger.Savings;
import io.eyrie.presto.ledger.WorkKind;

import static java.util.Objects.requireNonNull;

/** Savings of the caches of a catalog on this node, for an MBean: counters since the process began, and gauges of the current day. Thread-safe. */
public final class SavingsMetrics
{
    private final Savings savings;
    private final Prices prices;

    SavingsMetrics(Savings savings, Prices prices)
    {
        this.savings = requireNonNull(savings, "savings is null");
        this.prices = requireNonNull(prices, "prices is null");
    }

    @Metric("reads of files that queries requested: GET requests of an object store without caches")
    public long requestedGetRequests()
    {
        return savings.total().requested(WorkKind.GET_REQUESTS);
    }

    @Metric("reads of files that reached the store")
    public long doneGetRequests()
    {
        return savings.total().done(WorkKind.GET_REQUESTS);
    }

    @Metric("listings of directories that cached lists made unnecessary")
    public long savedListRequests()
    {
        return savings.total().saved(WorkKind.LIST_REQUESTS);
    }

    @Metric("bytes of files that queries requested")
    public long requestedBytes()
    {
        return savings.total().requested(WorkKind.BYTES);
    }

    @Metric("bytes of files that were requested from the store")
    public long doneBytes()
    {
        return savings.total().done(WorkKind.BYTES);
    }

    @Metric("calls of the metastore that queries need without caches")
    public long requestedMetastoreCalls()
    {
        return savings.total().requested(WorkKind.METASTORE_CALLS);
    }

    @Metric("calls of the metastore that loaded metadata")
    public long doneMetastoreCalls()
    {
        return savings.total().done(WorkKind.METASTORE_CALLS);
    }

    @Metric("processor time to compute fragment results that were served instead")
    public long savedCpuNanos()
    {
        return savings.total().saved(WorkKind.CPU_NANOS);
    }

    /** Returns the price of the work saved on the current day, in UTC. It survives a restart, as the table does. */
    @Metric("price of what was saved today (UTC), by cache.price-list")
    public double currentDaySavedCost()
    {
        return VerdictTables.cost(prices, savings.ofToday());
    }
}
