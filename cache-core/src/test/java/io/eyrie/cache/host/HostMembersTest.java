// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.host;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class HostMembersTest
{
    private static final class Host
    {
        private final String name;

        private Host(String name)
        {
            this.name = name;
        }

        @SuppressWarnings("UnusedMethod") // called by reflection
        private String greeting(String greeting)
        {
            return greeting + " " + name;
        }
    }

    @Test
    void privateFinalField()
    {
        Host host = new Host("a");
        HostField<Host, String> name = HostField.of(Host.class, "name", String.class);
        assertThat(name.get(host)).isEqualTo("a");
        name.set(host, "b");
        assertThat(name.get(host)).isEqualTo("b");
    }

    @Test
    void missingFieldIsNamed()
    {
        assertThatThrownBy(() -> HostField.of(Host.class, "gone", String.class)).isInstanceOf(UnsupportedHostException.class)
                .hasMessageContainingAll(Host.class.getName(), "no field gone", "java.lang.String");
        assertThatThrownBy(() -> HostField.of(Host.class, "name", List.class)).isInstanceOf(UnsupportedHostException.class)
                .hasMessageContainingAll(Host.class.getName() + ".name", "java.util.List", "java.lang.String");
    }

    @Test
    void privateMethod()
            throws Throwable
    {
        assertThat((String) HostMethods.find(Host.class, String.class, "greeting", String.class).invoke(new Host("a"), "hello")).isEqualTo("hello a");
    }

    @Test
    void missingMethodIsNamed()
    {
        assertThatThrownBy(() -> HostMethods.find(Host.class, String.class, "greeting")).isInstanceOf(UnsupportedHostException.class)
                .hasMessageContainingAll(Host.class.getName(), "no method greeting[]");
        assertThatThrownBy(() -> HostMethods.find(Host.class, List.class, "greeting", String.class)).isInstanceOf(UnsupportedHostException.class)
                .hasMessageContainingAll(Host.class.getName() + ".greeting", "java.lang.String", "java.util.List");
    }

    @Test
    void classAndMethodByName()
    {
        ClassLoader loader = HostMembersTest.class.getClassLoader();
        HostMethods.require(loader, Host.class.getName(), "greeting");
        assertThatThrownBy(() -> HostMethods.require(loader, Host.class.getName(), "gone")).isInstanceOf(UnsupportedHostException.class)
                .hasMessageContainingAll(Host.class.getName(), "gone");
        assertThatThrownBy(() -> HostMethods.require(loader, "no.such.Host", "greeting")).isInstanceOf(UnsupportedHostException.class)
                .hasMessageContainingAll("no.such.Host", "greeting");
    }
}
