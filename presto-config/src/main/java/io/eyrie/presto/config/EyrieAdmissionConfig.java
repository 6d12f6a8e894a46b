// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.Config;
import com.facebook.airlift.configuration.ConfigDescription;
import io.airlift.units.DataSize;
import io.eyrie.cache.admission.AdmissionConfig;
import io.eyrie.cache.admission.TablePattern;
import io.eyrie.cache.config.ConfigException;
import io.eyrie.cache.config.DefaultQuota;
import io.eyrie.cache.config.DefaultQuota.Level;
import io.eyrie.cache.file.Scope;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The properties {@code cache.admission.*} and the quotas of a catalog: which pages are cached, and how many of each scope. */
@SuppressWarnings("UnnecessaryQualifier") // airlift's annotations look like Guice's
public class EyrieAdmissionConfig
{
    private static final int MOST_SECOND_TOUCH_PAGES = 100_000_000;

    private @Nullable String allow;
    private @Nullable String deny;
    private int secondTouchPages;
    private @Nullable DataSize queryWriteBudget;
    private @Nullable DataSize dailyWriteBudget;
    private boolean dryRun;
    private @Nullable String quotas;
    private Level quotaScope = Level.GLOBAL;
    private @Nullable DataSize defaultQuota;

    public @Nullable String getAllow()
    {
        return allow;
    }

    @Config("cache.admission.allow")
    @ConfigDescription("The only tables to cache: comma-separated catalog.schema.table, with * for any characters of a part")
    public EyrieAdmissionConfig setAllow(@Nullable String allow)
    {
        this.allow = allow;
        return this;
    }

    public @Nullable String getDeny()
    {
        return deny;
    }

    @Config("cache.admission.deny")
    @ConfigDescription("Tables that are not cached, even if cache.admission.allow matches them")
    public EyrieAdmissionConfig setDeny(@Nullable String deny)
    {
        this.deny = deny;
        return this;
    }

    public int getSecondTouchPages()
    {
        return secondTouchPages;
    }

    @Config("cache.admission.second-touch-pages")
    @ConfigDescription("Number of missed pages to remember; a remembered page is cached when it is missed again. 0 caches pages at the first miss")
    public EyrieAdmissionConfig setSecondTouchPages(int secondTouchPages)
    {
        this.secondTouchPages = secondTouchPages;
        return this;
    }

    public @Nullable DataSize getQueryWriteBudget()
    {
        return queryWriteBudget;
    }

    @Config("cache.admission.query-write-budget")
    @ConfigDescription("Maximum bytes that one query may write to the cache on each worker")
    public EyrieAdmissionConfig setQueryWriteBudget(@Nullable DataSize queryWriteBudget)
    {
        this.queryWriteBudget = queryWriteBudget;
        return this;
    }

    public @Nullable DataSize getDailyWriteBudget()
    {
        return dailyWriteBudget;
    }

    @Config("cache.admission.daily-write-budget")
    @ConfigDescription("Maximum bytes written to the disks of a worker in any 24 hours")
    public EyrieAdmissionConfig setDailyWriteBudget(@Nullable DataSize dailyWriteBudget)
    {
        this.dailyWriteBudget = dailyWriteBudget;
        return this;
    }

    public boolean isDryRun()
    {
        return dryRun;
    }

    @Config("cache.admission.dry-run")
    @ConfigDescription("Cache everything, and only count what the other properties of cache.admission would refuse")
    public EyrieAdmissionConfig setDryRun(boolean dryRun)
    {
        this.dryRun = dryRun;
        return this;
    }

    public @Nullable String getQuotas()
    {
        return quotas;
    }

    @Config("cache.quotas")
    @ConfigDescription("Maximum disk space of catalogs, schemas and tables on each worker, such as hive.web=10GB,hive.web.hits=2GB. "
            + "Unset or empty: only the quotas of system.set_cache_quota")
    public EyrieAdmissionConfig setQuotas(@Nullable String quotas)
    {
        this.quotas = quotas;
        return this;
    }

    public Level getQuotaScope()
    {
        return quotaScope;
    }

    @Config("cache.cache-quota-scope")
    @ConfigDescription("Scope of the default quota: GLOBAL for all cached data together, or each SCHEMA, TABLE or PARTITION")
    public EyrieAdmissionConfig setQuotaScope(Level quotaScope)
    {
        this.quotaScope = quotaScope;
        return this;
    }

    public @Nullable DataSize getDefaultQuota()
    {
        return defaultQuota;
    }

    @Config("cache.default-cache-quota")
    @ConfigDescription("Default quota: maximum disk space on each worker of each scope (cache.cache-quota-scope) that cache.quotas does not name")
    public EyrieAdmissionConfig setDefaultQuota(@Nullable DataSize defaultQuota)
    {
        this.defaultQuota = defaultQuota;
        return this;
    }

    Optional<DefaultQuota> defaultQuota()
    {
        return Optional.ofNullable(defaultQuota).map(size -> new DefaultQuota(quotaScope, size.toBytes()));
    }

    /** @throws ConfigException about a number of pages that is out of its range */
    AdmissionConfig admission()
    {
        if (secondTouchPages < 0 || secondTouchPages > MOST_SECOND_TOUCH_PAGES) {
            throw new ConfigException("cache.admission.second-touch-pages", Integer.toString(secondTouchPages),
                    "it must be from 0 to " + MOST_SECOND_TOUCH_PAGES + ", because each page takes 4 bytes of memory",
                    "set about as many pages as the cache holds");
        }
        return new AdmissionConfig(
                patterns(allow),
                patterns(deny),
                secondTouchPages,
                dailyWriteBudget == null ? OptionalLong.empty() : OptionalLong.of(dailyWriteBudget.toBytes()),
                dryRun);
    }

    Optional<Map<Scope, Long>> quotas()
    {
        return Optional.ofNullable(quotas).map(PropertyType::quotas);
    }

    /** Returns how many bytes one query may have written on a worker. */
    public OptionalLong queryWriteBytes()
    {
        return queryWriteBudget == null ? OptionalLong.empty() : OptionalLong.of(queryWriteBudget.toBytes());
    }

    private static List<TablePattern> patterns(@Nullable String value)
    {
        return value == null ? List.of() : PropertyType.tablePatterns(value);
    }
}
