// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.config;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

class PackageCyclesTest
{
    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.eyrie.presto");

    @Test
    void packagesHaveNoCycles()
    {
        slices().matching("io.eyrie.(**)").should().beFreeOfCycles().check(MODULE);
    }
}
