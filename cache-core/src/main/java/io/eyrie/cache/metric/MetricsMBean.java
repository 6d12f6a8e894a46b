// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.metric;

import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import static java.util.Objects.requireNonNull;

/**
 * An MBean whose attributes are metrics, all of them read-only. One read of several attributes takes one snapshot of each source, so the attributes of one
 * source are consistent: {@code hits + misses == lookups} holds in each scrape if it holds in each snapshot. Thread-safe once all metrics are added.
 */
public final class MetricsMBean
        implements DynamicMBean
{
    private final UnaryOperator<String> naming;
    private final Map<String, Reader> readers = new TreeMap<>();

    private record Reader(MBeanAttributeInfo info, Supplier<?> source, Function<Object, Object> value)
    {}

    /** @param naming maps the name of a metric to the name of its attribute */
    public MetricsMBean(UnaryOperator<String> naming)
    {
        this.naming = requireNonNull(naming, "naming is null");
    }

    /** Adds the metrics of a class, and those of the records among its components if it is a record. */
    public <T> MetricsMBean add(Class<T> type, Supplier<? extends T> source)
    {
        return add("", type, source);
    }

    /** Adds the metrics of a class under names that begin with a prefix. */
    public <T> MetricsMBean add(String prefix, Class<T> type, Supplier<? extends T> source)
    {
        addAll(prefix, type, source, Function.identity());
        return this;
    }

    /** Adds one metric. */
    public MetricsMBean add(String name, String description, LongSupplier source)
    {
        Supplier<Long> value = source::getAsLong;
        put(name, description, long.class, value, Function.identity());
        return this;
    }

    private void addAll(String prefix, Class<?> type, Supplier<?> source, Function<Object, Object> holder)
    {
        for (Method method : type.getMethods()) {
            Metric metric = method.getAnnotation(Metric.class);
            if (metric != null) {
                String name = join(prefix, metric.name().isEmpty() ? method.getName() : metric.name());
                put(name, metric.value(), method.getReturnType(), source, holder.andThen(value -> read(method, value)));
            }
        }
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                if (component.getType().isRecord()) {
                    addAll(prefix, component.getType(), source, holder.andThen(value -> read(component.getAccessor(), value)));
                }
            }
        }
    }

    private void put(String name, String description, Class<?> type, Supplier<?> source, Function<Object, Object> value)
    {
        String attribute = naming.apply(name);
        MBeanAttributeInfo info = new MBeanAttributeInfo(attribute, type.getName(), description, true, false, false);
        if (readers.put(attribute, new Reader(info, source, value)) != null) {
            throw new IllegalArgumentException("two metrics have the name " + attribute);
        }
    }

    /** Returns the name of a metric that counts one case of an enumeration: {@code TOO_LARGE} of {@code refused} is {@code refusedTooLarge}. */
    public static String join(String prefix, Enum<?> kind)
    {
        StringBuilder name = new StringBuilder(prefix);
        for (String word : kind.name().toLowerCase(Locale.ROOT).split("_", -1)) {
            name.append(name.isEmpty() ? word : capitalize(word));
        }
        return name.toString();
    }

    private static String join(String prefix, String name)
    {
        return prefix.isEmpty() ? name : prefix + capitalize(name);
    }

    /** Returns the name with an upper-case first letter. */
    public static String capitalize(String name)
    {
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    private static Object read(Method method, Object holder)
    {
        try {
            return method.invoke(holder);
        }
        catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + method, e);
        }
    }

    @Override
    public Object getAttribute(String attribute)
            throws AttributeNotFoundException
    {
        Reader reader = readers.get(attribute);
        if (reader == null) {
            throw new AttributeNotFoundException(attribute);
        }
        return reader.value.apply(reader.source.get());
    }

    @Override
    public AttributeList getAttributes(String[] attributes)
    {
        IdentityHashMap<Supplier<?>, Object> snapshots = new IdentityHashMap<>();
        AttributeList values = new AttributeList();
        for (String attribute : attributes) {
            Reader reader = readers.get(attribute);
            if (reader != null) {
                try {
                    values.add(new Attribute(attribute, reader.value.apply(snapshots.computeIfAbsent(reader.source, Supplier::get))));
                }
                catch (RuntimeException e) {
                    // the contract: unknown attributes, and those that cannot be read, are left out
                }
            }
        }
        return values;
    }

    @Override
    public MBeanInfo getMBeanInfo()
    {
        MBeanAttributeInfo[] attributes = readers.values().stream().map(Reader::info).toArray(MBeanAttributeInfo[]::new);
        return new MBeanInfo(MetricsMBean.class.getName(), "Metrics of Eyrie", attributes, null, null, null);
    }

    @Override
    public void setAttribute(Attribute attribute)
            throws AttributeNotFoundException
    {
        throw new AttributeNotFoundException("read-only: " + attribute.getName());
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes)
    {
        return new AttributeList();
    }

    @Override
    public Object invoke(String action, Object[] parameters, String[] signature)
    {
        throw new UnsupportedOperationException(action);
    }
}
