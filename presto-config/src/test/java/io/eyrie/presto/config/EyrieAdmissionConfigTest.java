// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.facebook.airlift.configuration.ConfigurationFactory;
import com.facebook.airlift.configuration.ConfigurationMetadata;
import io.airlift.units.DataSize;
import io.eyrie.cache.admission.AdmissionConfig;
import io.eyrie.cache.admission.TablePattern;
import io.eyrie.cache.config.DefaultQuota;
import io.eyrie.cache.config.DefaultQuota.Level;
import io.eyrie.cache.file.Scope;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.units.DataSize.Unit.GIGABYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static org.assertj.core.api.Assertions.assertThat;

class EyrieAdmissionConfigTest
{
    private static final Map<String, String> ALL_PROPERTIES = Map.of(
            "cache.admission.allow", "hive.web.*,hive.sales.*",
            "cache.admission.deny", "*.*.raw_*",
            "cache.admission.second-touch-pages", "100000",
            "cache.admission.query-write-budget", "10GB",
            "cache.admission.daily-write-budget", "500GB",
            "cache.admission.dry-run", "true",
            "cache.quotas", "hive.web=10GB,hive.web.hits=512MB",
            "cache.cache-quota-scope", "TABLE",
            "cache.default-cache-quota", "5GB");

    @Test
    void recordedDefaults()
    {
        assertThat(build(Map.of())).usingRecursiveComparison().isEqualTo(new EyrieAdmissionConfig()
                .setAllow(null)
                .setDeny(null)
                .setSecondTouchPages(0)
                .setQueryWriteBudget(null)
                .setDailyWriteBudget(null)
                .setDryRun(false)
                .setQuotas(null)
                .setQuotaScope(Level.GLOBAL)
                .setDefaultQuota(null));
        assertThat(build(Map.of()).admission()).isEqualTo(AdmissionConfig.DEFAULT);
        assertThat(build(Map.of()).quotas()).isEmpty();
        assertThat(build(Map.of("cache.cache-quota-scope", "TABLE")).defaultQuota()).isEmpty();
        assertThat(build(Map.of()).queryWriteBytes()).isEmpty();
    }

    @Test
    void fullMapping()
    {
        assertThat(build(ALL_PROPERTIES)).usingRecursiveComparison().isEqualTo(new EyrieAdmissionConfig()
                .setAllow("hive.web.*,hive.sales.*")
                .setDeny("*.*.raw_*")
                .setSecondTouchPages(100_000)
                .setQueryWriteBudget(new DataSize(10, GIGABYTE))
                .setDailyWriteBudget(new DataSize(500, GIGABYTE))
                .setDryRun(true)
                .setQuotas("hive.web=10GB,hive.web.hits=512MB")
                .setQuotaScope(Level.TABLE)
                .setDefaultQuota(new DataSize(5, GIGABYTE)));
    }

    @Test
    void everyPropertyIsInTheMappingAndHasItsRow()
    {
        assertThat(ConfigurationMetadata.getConfigurationMetadata(EyrieAdmissionConfig.class).getAttributes().values())
                .extracting(attribute -> attribute.getInjectionPoint().getProperty())
                .containsExactlyInAnyOrderElementsOf(ALL_PROPERTIES.keySet())
                .allMatch(property -> LayerProperties.find(property).isPresent());
    }

    @Test
    void policiesAreWhatIsSet()
    {
        EyrieAdmissionConfig config = build(ALL_PROPERTIES);
        AdmissionConfig admission = config.admission();
        assertThat(admission.allow()).extracting(TablePattern::toString).containsExactly("hive.web.*", "hive.sales.*");
        assertThat(admission.deny()).extracting(TablePattern::toString).containsExactly("*.*.raw_*");
        assertThat(admission.secondTouchPages()).isEqualTo(100_000);
        assertThat(admission.dailyWriteBytes()).hasValue(500L << 30);
        assertThat(admission.dryRun()).isTrue();
        assertThat(config.queryWriteBytes()).hasValue(10L << 30);
        assertThat(config.quotas()).contains(Map.of(new Scope("hive", "web", "", ""), 10L << 30, new Scope("hive", "web", "hits", ""), 512L << 20));
        assertThat(config.defaultQuota()).contains(new DefaultQuota(Level.TABLE, 5L << 30));
    }

    @Test
    void emptyQuotasAreNone()
    {
        assertThat(new EyrieAdmissionConfig().setQuotas("").quotas()).contains(Map.of());
        assertThat(new EyrieAdmissionConfig().setQuotas("hive = 5MB").quotas()).contains(Map.of(new Scope("hive", "", "", ""),
                new DataSize(5, MEGABYTE).toBytes()));
    }

    private static EyrieAdmissionConfig build(Map<String, String> properties)
    {
        return new ConfigurationFactory(properties).build(EyrieAdmissionConfig.class);
    }
}
