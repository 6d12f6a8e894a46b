// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.modules;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the dependencies between modules: all may use the core; the layers never use each other; the plugin uses all of them. Nothing uses the
 * plugin, nor modules that are not shipped.
 */
class ModuleArrowsTest
{
    private static final JavaClasses EYRIE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.eyrie");

    @Test
    void classesAreThere()
    {
        assertThat(EYRIE.contain("io.eyrie.cache.PageCaches")).isTrue();
        assertThat(EYRIE.contain("io.eyrie.footer.FooterCache")).isTrue();
        assertThat(EYRIE.contain("io.eyrie.fragment.engine.EngineLeaves")).isTrue();
        assertThat(EYRIE.contain("io.eyrie.metastore.VersionedHiveMetastore")).isTrue();
        assertThat(EYRIE.contain("io.eyrie.presto.plugin.EyriePlugin")).isTrue();
    }

    @Test
    void coreUsesTheJdkAndCaffeineAlone()
    {
        classes().that().resideInAPackage("io.eyrie.cache..")
                .should().onlyDependOnClassesThat().resideInAnyPackage("io.eyrie.cache..", "java..", "javax.crypto..", "javax.management..",
                        "com.github.benmanes.caffeine..",
                        "org.jspecify..")
                .check(EYRIE);
    }

    @Test
    void layersDoNotUseEachOther()
    {
        // the core and the plugin are not layers
        slices().matching("io.eyrie.(*)..").should().notDependOnEachOther()
                .ignoreDependency(resideInAPackage("io.eyrie.presto.."), alwaysTrue())
                .ignoreDependency(alwaysTrue(), resideInAPackage("io.eyrie.cache.."))
                .check(EYRIE);
    }

    /** Those of the plugin and of presto-config. The other modules have a test of their own. */
    @Test
    void packagesHaveNoCycles()
    {
        slices().matching("io.eyrie.presto.(**)").should().beFreeOfCycles().check(EYRIE);
    }

    @Test
    void nothingUsesThePluginOrWhatIsNotShipped()
    {
        noClasses().that().resideOutsideOfPackage("io.eyrie.presto..")
                .should().dependOnClassesThat().resideInAnyPackage("io.eyrie.presto..")
                .check(EYRIE);
        noClasses().should().dependOnClassesThat().resideInAnyPackage("io.eyrie.testing..", "io.eyrie.benchmarks..", "io.eyrie.cli..",
                "io.eyrie.demo..").check(EYRIE);
    }

    /** It contains a different Hadoop than Presto's. */
    @Test
    void nothingUsesTheHadoopWrapper()
    {
        noClasses().that().resideOutsideOfPackage("io.eyrie.fs..")
                .should().dependOnClassesThat().resideInAnyPackage("io.eyrie.fs..")
                .check(EYRIE);
        assertThat(EYRIE.contain("io.eyrie.fs.EyrieFileSystem")).isFalse();
    }

    @Test
    void onlyThePluginWires()
    {
        noClasses().that().resideOutsideOfPackage("io.eyrie.presto..")
                .should().dependOnClassesThat(resideInAnyPackage("com.google.inject..", "com.facebook.airlift..", "org.weakref.jmx..").and(not(
                        // the type of sizes
                        resideInAPackage("com.facebook.airlift.units"))))
                .check(EYRIE);
    }
}
