// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.mutation;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Changes one field of an object at a time, recursively through its fields, and compares a key of the changed copies. Reflection finds the fields: a
 * field that is added to a type fails the test until it changes the key or is excused. Not thread-safe.
 */
public final class FieldMutations
{
    private final Map<Class<?>, Function<Object, Object>> others = new LinkedHashMap<>();
    private final Map<String, String> excuses = new TreeMap<>();
    private final Set<String> excused = new TreeSet<>();

    /**
     * @param fields the changed fields, from the root
     * @param value the copy
     */
    private record Mutant(String fields, Object value)
    {}

    /** Replaces values of a type as a whole. */
    public <T> FieldMutations replacing(Class<T> type, Function<T, T> other)
    {
        others.put(type, value -> other.apply(type.cast(value)));
        return this;
    }

    /**
     * Excuses a field that does not change the key, the order of a list, or the lack of a value to change, where other objects of the type have one.
     *
     * @param field as {@code Type.field}, {@code Type.field order} or {@code Type.field empty}
     */
    public FieldMutations excusing(String field, String reason)
    {
        assertThat(reason).as("reason for %s", field).isNotBlank();
        assertThat(excuses.put(field, reason)).as("second reason for %s", field).isNull();
        return this;
    }

    /** Fails unless each changed copy of the subject has another key, and each excuse is needed. */
    public <T> void assertEachTells(T subject, Function<T, ?> key)
    {
        Object base = requireNonNull(key.apply(subject), "key is null");
        assertThat((Object) key.apply(subject)).as("key of the same subject").isEqualTo(base);
        List<Mutant> mutants = mutants("", "", subject);
        List<String> silent = new ArrayList<>();
        for (Mutant mutant : mutants) {
            @SuppressWarnings("unchecked") // a copy of the subject
            T changed = (T) mutant.value();
            if (base.equals(key.apply(changed))) {
                silent.add(mutant.fields());
            }
        }
        assertThat(mutants).as("mutants").isNotEmpty();
        assertThat(silent).as("changes that leave the key as it is, of %s: put them into the key, or excuse them with a reason", mutants.size())
                .isEmpty();
        assertThat(excused).as("excuses that were needed").isEqualTo(excuses.keySet());
    }

    private List<Mutant> mutants(String fields, String field, @Nullable Object value)
    {
        if (value == null) {
            throw new AssertionError(fields + " is null: give the subject a value to change");
        }
        for (Map.Entry<Class<?>, Function<Object, Object>> other : others.entrySet()) {
            if (other.getKey().isInstance(value)) {
                return List.of(new Mutant(fields, other.getValue().apply(value)));
            }
        }
        if (isEmpty(value) && isExcused(field + " empty")) {
            return List.of();
        }
        if (value instanceof Optional<?> optional) {
            Object content = optional.orElseThrow(() -> new AssertionError(fields + " is empty: give the subject a value to change"));
            return joined(List.of(new Mutant(fields + " empty", Optional.empty())), mapped(mutants(fields, field, content), Optional::of));
        }
        if (value instanceof Map<?, ?> map) {
            return ofMap(fields, field, map);
        }
        if (value instanceof Collection<?> collection) {
            return ofCollection(fields, field, collection);
        }
        if (value instanceof Enum<?> constant) {
            return Stream.of(constant.getDeclaringClass().getEnumConstants()).filter(other -> other != constant).map(other -> new Mutant(fields + " "
                    + other,
                    other)).toList();
        }
        List<Object> simple = simple(value);
        if (!simple.isEmpty()) {
            return simple.stream().map(other -> new Mutant(fields + " " + other, other)).toList();
        }
        if (value.getClass().getName().startsWith("java.")) {
            throw new AssertionError(fields + ": nothing says how a " + value.getClass().getName() + " becomes another");
        }
        return ofFields(fields, value);
    }

    private static boolean isEmpty(Object value)
    {
        return (value instanceof Optional<?> optional && optional.isEmpty()) || (value instanceof Collection<?> collection && collection.isEmpty());
    }

    private static List<Object> simple(Object value)
    {
        if (value instanceof Boolean flag) {
            return List.of(!flag);
        }
        if (value instanceof Integer number) {
            return List.of(number + 1, number + (1 << 20));
        }
        if (value instanceof Long number) {
            return List.of(number + 1, number + (1L << 32), number + (1L << 48));
        }
        if (value instanceof String text) {
            return text.isEmpty() ? List.of("x") : List.of(text + "x", text.substring(1), "\u00e4" + text.substring(1), "");
        }
        if (value instanceof byte[] bytes) {
            byte[] flipped = bytes.clone();
            flipped[flipped.length - 1] ^= 1;
            return List.of(flipped, Arrays.copyOf(bytes, bytes.length + 1), new byte[0]);
        }
        if (value instanceof OptionalInt number) {
            return number.isEmpty() ? List.of(OptionalInt.of(1)) : List.of(OptionalInt.empty(), OptionalInt.of(number.getAsInt() + 1));
        }
        return List.of();
    }

    private List<Mutant> ofCollection(String fields, String field, Collection<?> collection)
    {
        if (collection.isEmpty()) {
            throw new AssertionError(fields + " is empty: give the subject an element to change");
        }
        List<Object> elements = new ArrayList<>(collection);
        Function<List<Object>, Object> made = collection instanceof Set ? LinkedHashSet::new : Collections::unmodifiableList;
        List<Mutant> mutants = new ArrayList<>(List.of(new Mutant(fields + " without its last", made.apply(elements.subList(0, elements.size()
                - 1)))));
        List<Object> reversed = new ArrayList<>(elements);
        Collections.reverse(reversed);
        if (!(collection instanceof Set) && !reversed.equals(elements) && !isExcused(field + " order")) {
            mutants.add(new Mutant(fields + " order", made.apply(reversed)));
        }
        for (int i = 0; i < elements.size(); i++) {
            int index = i;
            mutants.addAll(mapped(mutants(fields + "[" + i + "]", field, elements.get(i)), element -> {
                List<Object> copy = new ArrayList<>(elements);
                copy.set(index, element);
                return made.apply(copy);
            }));
        }
        return mutants;
    }

    private List<Mutant> ofMap(String fields, String field, Map<?, ?> map)
    {
        if (map.isEmpty()) {
            throw new AssertionError(fields + " is empty: give the subject an entry to change");
        }
        List<Mutant> mutants = new ArrayList<>();
        map.forEach((key, value) -> {
            mutants.add(new Mutant(fields + " without " + key, without(map, key)));
            mutants.addAll(mapped(mutants(fields + " key", field, key), other -> with(without(map, key), other, value)));
            mutants.addAll(mapped(mutants(fields + " value", field, value), other -> with(map, key, other)));
        });
        return mutants;
    }

    private static Map<Object, Object> without(Map<?, ?> map, Object key)
    {
        Map<Object, Object> copy = new LinkedHashMap<>(map);
        copy.remove(key);
        return copy;
    }

    private static Map<Object, Object> with(Map<?, ?> map, Object key, Object value)
    {
        Map<Object, Object> copy = new LinkedHashMap<>(map);
        copy.put(key, value);
        return copy;
    }

    private List<Mutant> ofFields(String fields, Object object)
    {
        List<Mutant> mutants = new ArrayList<>();
        for (Field field : fields(object.getClass())) {
            String name = field.getDeclaringClass().getSimpleName() + "." + field.getName();
            if (!isExcused(name)) {
                mutants.addAll(mapped(mutants(fields + "." + field.getName(), name, valueOf(field, object)), value -> copy(object, field, value)));
            }
        }
        return mutants;
    }

    private boolean isExcused(String name)
    {
        return excuses.containsKey(name) && (excused.add(name) || excused.contains(name));
    }

    private static List<Mutant> mapped(List<Mutant> mutants, Function<Object, Object> wrapped)
    {
        return mutants.stream().map(mutant -> new Mutant(mutant.fields(), wrapped.apply(mutant.value()))).toList();
    }

    private static List<Mutant> joined(List<Mutant> first, List<Mutant> second)
    {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    private static List<Field> fields(Class<?> type)
    {
        List<Field> fields = new ArrayList<>();
        for (Class<?> declaring = type; declaring != null; declaring = declaring.getSuperclass()) {
            Stream.of(declaring.getDeclaredFields()).filter(field -> !Modifier.isStatic(field.getModifiers())).forEach(fields::add);
        }
        return fields;
    }

    private static @Nullable Object valueOf(Field field, Object object)
    {
        try {
            field.setAccessible(true);
            return field.get(object);
        }
        catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /* Returns another object of the same class that differs in the field. Only a record's constructor runs. */
    private static Object copy(Object object, Field changed, Object value)
    {
        try {
            if (object instanceof Record) {
                RecordComponent[] components = object.getClass().getRecordComponents();
                Constructor<?> constructor = object.getClass().getDeclaredConstructor(Stream.of(components).map(RecordComponent::getType).toArray(
                        Class<?>[]::new));
                constructor.setAccessible(true);
                return constructor.newInstance(fields(object.getClass()).stream().map(field -> field.equals(changed) ? value : valueOf(field, object))
                        .toArray());
            }
            Class<?> unsafe = Class.forName("sun.misc.Unsafe");
            Field instance = unsafe.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            Object copy = unsafe.getMethod("allocateInstance", Class.class).invoke(instance.get(null), object.getClass());
            for (Field field : fields(object.getClass())) {
                field.setAccessible(true);
                field.set(copy, field.equals(changed) ? value : valueOf(field, object));
            }
            return copy;
        }
        catch (ReflectiveOperationException e) {
            throw new LinkageError("no copy of " + object.getClass() + " with another " + changed.getName(), e);
        }
    }
}
