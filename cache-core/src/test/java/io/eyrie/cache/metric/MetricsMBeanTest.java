// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.metric;

import org.junit.jupiter.api.Test;

import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanAttributeInfo;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

class MetricsMBeanTest
{
    /** A record with a record among its components. */
    public record Outer(@Metric("outer metric") long number, String other, Inner inner)
    {}

    /** The inner record. */
    public record Inner(@Metric(value = "inner metric", name = "renamed") int number)
    {
        /** Computes. */
        @Metric("half of the number")
        public double half()
        {
            return number / 2.0;
        }
    }

    private static MetricsMBean capitalized()
    {
        return new MetricsMBean(MetricsMBean::capitalize);
    }

    private static Outer outer(long number)
    {
        return new Outer(number, "no metric", new Inner(3));
    }

    @Test
    void metricOfEachSource()
            throws AttributeNotFoundException
    {
        MetricsMBean bean = capitalized().add(Outer.class, () -> outer(7)).add("single", "one metric", () -> 9);

        assertThat(bean.getMBeanInfo().getAttributes())
                .extracting(MBeanAttributeInfo::getName, MBeanAttributeInfo::getType, MBeanAttributeInfo::getDescription)
                .containsExactly(
                        tuple("Half", "double", "half of the number"),
                        tuple("Number", "long", "outer metric"),
                        tuple("Renamed", "int", "inner metric"),
                        tuple("Single", "long", "one metric"));
        assertThat(bean.getMBeanInfo().getAttributes()).allMatch(attribute -> attribute.isReadable() && !attribute.isWritable());
        assertThat(bean.getAttribute("Number")).isEqualTo(7L);
        assertThat(bean.getAttribute("Renamed")).isEqualTo(3);
        assertThat(bean.getAttribute("Half")).isEqualTo(1.5);
        assertThat(bean.getAttribute("Single")).isEqualTo(9L);
    }

    @Test
    void prefixesAndTheNamesOfPlainMBeans()
    {
        MetricsMBean bean = new MetricsMBean(UnaryOperator.identity()).add(Inner.class, () -> new Inner(1)).add("of.", Inner.class, () -> new Inner(
                2));

        assertThat(Stream.of(bean.getMBeanInfo().getAttributes()).map(MBeanAttributeInfo::getName))
                .containsExactly("half", "of.Half", "of.Renamed", "renamed");
        assertThat(MetricsMBean.join("refused", TimeUnit.SECONDS)).isEqualTo("refusedSeconds");
        assertThat(MetricsMBean.join("", Thread.State.TIMED_WAITING)).isEqualTo("timedWaiting");
    }

    @Test
    void oneSnapshotForAllAttributes()
    {
        AtomicLong snapshots = new AtomicLong();
        MetricsMBean bean = capitalized().add(Outer.class, () -> outer(snapshots.incrementAndGet())).add("single", "one metric", () -> 9);

        assertThat(bean.getAttributes(new String[] {"Number", "Half", "Renamed", "Single"}).asList())
                .containsExactly(new Attribute("Number", 1L), new Attribute("Half", 1.5), new Attribute("Renamed", 3), new Attribute("Single", 9L));
        assertThat(snapshots).hasValue(1);
    }

    @Test
    void sourceThatFailsHidesNoOther()
    {
        MetricsMBean bean = capitalized().add(Inner.class, () -> {
            throw new IllegalStateException("no inner");
        }).add("single", "one metric", () -> 9);

        assertThat(bean.getAttributes(new String[] {"Half", "Unknown", "Single"}).asList()).containsExactly(new Attribute("Single", 9L));
        assertThatThrownBy(() -> bean.getAttribute("Half")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void unknownAttributesAndWrites()
    {
        MetricsMBean bean = capitalized().add(Inner.class, () -> new Inner(1));

        assertThatThrownBy(() -> bean.getAttribute("renamed")).isInstanceOf(AttributeNotFoundException.class);
        assertThatThrownBy(() -> bean.setAttribute(new Attribute("Renamed", 5))).isInstanceOf(AttributeNotFoundException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> bean.add("renamed", "again", () -> 1)).withMessageContaining("Renamed");
    }
}
