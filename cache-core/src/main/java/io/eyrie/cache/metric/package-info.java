// SPDX-License-Identifier: Apache-2.0
/**
 * Metrics: the annotation {@link io.eyrie.cache.metric.Metric} names and describes each metric where it is counted, and
 * {@link io.eyrie.cache.metric.MetricsMBean} shows the metrics of any classes over JMX. For all modules; depends on no other package.
 */
@NullMarked
package io.eyrie.cache.metric;

import org.jspecify.annotations.NullMarked;
