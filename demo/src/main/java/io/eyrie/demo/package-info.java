// SPDX-License-Identifier: Apache-2.0
/**
 * The demo: TPC-H on S3 through {@code connector.name=eyrie}, without cache, cold and warm. {@code DemoCluster} starts everything and measures one
 * query; {@code DemoRun} determines the order of the runs; {@code DemoReport} holds the measurements. The benchmark of the same queries uses them,
 * too.
 */
@NullMarked
package io.eyrie.demo;

import org.jspecify.annotations.NullMarked;
