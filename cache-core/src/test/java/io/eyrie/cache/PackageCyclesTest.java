// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/** No package of this module depends on itself through other packages. */
final class PackageCyclesTest
{
    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.eyrie.cache");

    @Test
    void classesAreThere()
    {
        assertThat(CORE.contain("io.eyrie.cache.PageCaches")).isTrue();
        assertThat(CORE.contain("io.eyrie.cache.store.PageStore")).isTrue();
        assertThat(CORE.contain("io.eyrie.cache.store.TestingPageStore")).isFalse();
    }

    @Test
    void packagesAreFreeOfCycles()
    {
        slices().matching("io.eyrie.(**)").should().beFreeOfCycles().check(CORE);
    }
}
