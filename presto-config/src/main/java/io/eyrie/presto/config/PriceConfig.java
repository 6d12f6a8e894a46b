// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import io.eyrie.cache.config.ConfigException;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The property {@code cache.price-list}: prices of the work that the caches save. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class PriceConfig
{
    private static final String PROPERTY = "cache.price-list";
    /** S3 Standard's list prices of 2026 in most regions of the United States, from clients in the same region, and a core of a machine rented on demand. */
    private static final String DEFAULTS = "get=0.40,list=5.00,gigabyte=0,cpu-hour=0.05";
    private static final String GET = "get";
    private static final String LIST = "list";
    private static final String GIGABYTE = "gigabyte";
    private static final String CPU_HOUR = "cpu-hour";
    private static final List<String> NAMES = List.of(GET, LIST, GIGABYTE, CPU_HOUR);

    private String priceList = DEFAULTS;

    /**
     * Prices in any one currency.
     *
     * @param gets a million GET requests
     * @param lists a million LIST requests
     * @param gigabyte 2^30 bytes that the store sends
     * @param cpuHour an hour of one processor
     */
    public record Prices(double gets, double lists, double gigabyte, double cpuHour)
    {
        private static final double MILLION = 1e6;
        private static final double BYTES_PER_GIGABYTE = 1 << 30;
        private static final double NANOS_PER_HOUR = 3.6e12;

        /** Returns the price of work; a negative amount of work has a negative price. */
        public double of(long getRequests, long listRequests, long bytes, long cpuNanos)
        {
            return getRequests * gets / MILLION + listRequests * lists / MILLION + bytes * gigabyte / BYTES_PER_GIGABYTE + cpuNanos * cpuHour
                    / NANOS_PER_HOUR;
        }
    }

    public String getPriceList()
    {
        return priceList;
    }

    @Config(PROPERTY)
    @ConfigDescription("Prices for the columns that show saved money, in any one currency: of a million GET and of a million LIST requests, of a gigabyte that "
            + "the store sends, and of a processor hour; an omitted price has its default")
    public PriceConfig setPriceList(String priceList)
    {
        this.priceList = priceList;
        return this;
    }

    /**
     * Checks all properties.
     *
     * @throws ConfigException if the list is not one of prices
     */
    public void validate()
    {
        Prices unused = prices();
    }

    /**
     * Returns the prices.
     *
     * @throws ConfigException if the list is not one of prices
     */
    public Prices prices()
    {
        Map<String, Double> prices = new HashMap<>(read(DEFAULTS));
        prices.putAll(read(priceList));
        return new Prices(price(prices, GET), price(prices, LIST), price(prices, GIGABYTE), price(prices, CPU_HOUR));
    }

    private static double price(Map<String, Double> prices, String name)
    {
        return Optional.ofNullable(prices.get(name)).orElseThrow();
    }

    private Map<String, Double> read(String list)
    {
        Map<String, Double> prices = new LinkedHashMap<>();
        for (String entry : list.split(",", -1)) {
            String[] parts = entry.split("=", -1);
            if (parts.length != 2 || !NAMES.contains(parts[0].trim()) || prices.put(parts[0].trim(), number(parts[1].trim())) != null) {
                throw invalid();
            }
        }
        return prices;
    }

    private double number(String text)
    {
        try {
            double price = Double.parseDouble(text);
            if (price >= 0 && Double.isFinite(price)) {
                return price;
            }
        }
        catch (NumberFormatException e) {
            // reported below
        }
        throw invalid();
    }

    private ConfigException invalid()
    {
        return new ConfigException(PROPERTY, "'" + priceList + "'", "it must be a list of prices of 0 or more, each of " + String.join(", ", NAMES)
                + " at most once", "write it like " + DEFAULTS);
    }
}
