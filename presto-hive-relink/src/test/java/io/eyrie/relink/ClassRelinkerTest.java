// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink;

import io.eyrie.relink.sample.SampleBystander;
import io.eyrie.relink.sample.SampleConnector;
import io.eyrie.relink.sample.SampleContext;
import io.eyrie.relink.sample.SampleHandle;
import io.eyrie.relink.sample.SampleReplacement;
import io.eyrie.relink.sample.SampleView;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Type;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ClassRelinkerTest
{
    private static final String VIEW = Type.getInternalName(SampleView.class);
    private static final MethodReference UPDATER = new MethodReference(Type.getInternalName(SampleContext.class), "updater", "()Ljava/lang/String;");
    private static final MethodReference OLD_COPY = new MethodReference(VIEW, "<init>", "(Ljava/lang/String;Ljava/lang/String;)V");
    private static final MethodReference GET_OWNER = new MethodReference(VIEW, "getOwner", "()Ljava/lang/String;");
    private static final MethodReference GET_MODE = new MethodReference(VIEW, "getMode", "()Ljava/lang/String;");

    @Test
    void redirectedCallReachesTheReplacement()
            throws Exception
    {
        ClassRelinker relinker = new ClassRelinker(new RelinkPlan(Map.of(), List.of(redirect(1))));

        assertThat(run(relinker.relink(bytes(SampleConnector.class)))).startsWith("instead of the old one, ");
        relinker.verifyComplete();
    }

    @Test
    void insertedArgumentIsThatOfTheCopiedObject()
            throws Exception
    {
        ClassRelinker relinker = new ClassRelinker(new RelinkPlan(Map.of(), List.of(insertion(GET_OWNER))));

        assertThat(run(relinker.relink(bytes(SampleConnector.class)))).endsWith("alice, INVOKER, SELECT 1!");
        relinker.verifyComplete();
    }

    @Test
    void copyThatDoesNotReadThePrecedingGetter()
            throws IOException
    {
        MethodReference other = new MethodReference(VIEW, "hashCode", "()I");
        ClassRelinker relinker = new ClassRelinker(new RelinkPlan(Map.of(), List.of(insertion(other))));
        byte[] connector = bytes(SampleConnector.class);

        assertThatThrownBy(() -> relinker.relink(connector)).isInstanceOf(RelinkException.class)
                .hasMessageContaining("apply").hasMessageContaining("without a preceding call of " + other);
    }

    @Test
    void relocatedTypeIsReferredToByItsNewNameAlone()
            throws IOException
    {
        ClassRelinker relinker = new ClassRelinker(new RelinkPlan(Map.of(Type.getInternalName(SampleHandle.class), "ours/CarriedHandle"), List.of()));

        String relinked = new String(relinker.relink(bytes(SampleConnector.class)), ISO_8859_1);

        assertThat(relinked).contains("ours/CarriedHandle").doesNotContain("SampleHandle");
        relinker.verifyComplete();
    }

    @Test
    void classWithoutRewritesKeepsItsBytes()
            throws IOException
    {
        byte[] original = bytes(SampleBystander.class);

        assertThat(new ClassRelinker(new RelinkPlan(Map.of(), List.of(redirect(0)))).relink(original)).isSameAs(original);
    }

    @Test
    void missedSitesAreNamed()
            throws IOException
    {
        ClassRelinker relinker = new ClassRelinker(new RelinkPlan(Map.of("gone/Type", "ours/Type"), List.of(redirect(2))));
        relinker.relink(bytes(SampleConnector.class));

        assertThatThrownBy(relinker::verifyComplete).isInstanceOf(RelinkException.class)
                .hasMessageContaining("calls of " + UPDATER + ": expected 2, found 1")
                .hasMessageContaining("no reference to gone/Type");
    }

    @Test
    void staticCallGoesToAnotherClass()
            throws IOException
    {
        MethodReference listOf = new MethodReference("java/util/List", "of", "(Ljava/lang/Object;)Ljava/util/List;");
        ClassRelinker relinker = new ClassRelinker(new RelinkPlan(Map.of(), List.of(new StaticRedirect(listOf, "ours/Lists", 1))));

        assertThat(new String(relinker.relink(bytes(SampleConnector.class)), ISO_8859_1)).contains("ours/Lists",
                "(Ljava/lang/Object;)Ljava/util/List;");
        relinker.verifyComplete();
    }

    @Test
    void constructorIsNotRedirected()
            throws IOException
    {
        ClassRelinker relinker = new ClassRelinker(new RelinkPlan(Map.of(), List.of(new StaticRedirect(OLD_COPY, "ours/Views", 1))));
        byte[] connector = bytes(SampleConnector.class);

        assertThatThrownBy(() -> relinker.relink(connector)).isInstanceOf(RelinkException.class).hasMessageContaining(
                "expected a virtual or a static call");
    }

    private static CallRewrite redirect(int sites)
    {
        return new StaticRedirect(UPDATER, Type.getInternalName(SampleReplacement.class), sites);
    }

    private static CallRewrite insertion(MethodReference preceding)
    {
        return new InsertedArgument(OLD_COPY, preceding, GET_MODE, "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)V", 1);
    }

    @SuppressWarnings("unchecked")
    private static String run(byte[] connector)
            throws ReflectiveOperationException
    {
        Class<?> relinked = new ClassLoader(ClassRelinkerTest.class.getClassLoader()) {
            Class<?> define()
            {
                return defineClass(SampleConnector.class.getName(), connector, 0, connector.length);
            }
        }.define();
        return ((Function<SampleView, String>) relinked.getConstructor().newInstance()).apply(new SampleView("alice", "INVOKER", "SELECT 1"));
    }

    static byte[] bytes(Class<?> type)
            throws IOException
    {
        try (InputStream in = ClassRelinkerTest.class.getResourceAsStream("/" + Type.getInternalName(type) + ".class")) {
            return requireNonNull(in).readAllBytes();
        }
    }
}
