// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.metric;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a component of a record, or a public method without parameters, as a metric. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Metric
{
    /** The description, for operators. */
    String value();

    /** The name, if it differs from the method's. */
    String name() default "";
}
