// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

import java.util.Locale;

/**
 * A store's list price, in US dollars.
 *
 * @param perMillionGets for reads
 * @param perMillionLists for lists
 * @param perGigabyte for content that leaves the store's region
 */
record ListPrice(double perMillionGets, double perMillionLists, double perGigabyte)
{
    private static final double MILLION = 1e6;
    private static final double GIGABYTE = 1e9;

    /** Returns the price of S3 Standard in us-east-1. Content costs only across the far link, which leads to another region. */
    static ListPrice of(DemoLink link)
    {
        return new ListPrice(0.4, 5, link == DemoLink.FAR ? 0.02 : 0);
    }

    /** Returns the price of runs. */
    double of(Iterable<QueryRun> runs)
    {
        double dollars = 0;
        for (QueryRun run : runs) {
            dollars += (run.s3Requests() - run.s3Lists()) / MILLION * perMillionGets + run.s3Lists() / MILLION * perMillionLists
                    + run.s3DataBytes() / GIGABYTE * perGigabyte;
        }
        return dollars;
    }

    /** Returns a statement of the price. */
    String statement()
    {
        return String.format(Locale.ROOT, "List price of S3 Standard in us-east-1: $%.2f a million GETs, $%.2f a million LISTs%s.", perMillionGets,
                perMillionLists, perGigabyte == 0
                        ? "; content costs nothing within a region"
                        : String.format(Locale.ROOT, ", $%.2f a GB to another region", perGigabyte));
    }
}
