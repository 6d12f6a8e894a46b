/**
 * The demo: TPC-H on S3 through {@code connector.name=eyrie}, without cache, cold and warm. {@code DemoCluster} brings everything up and
 * measures one query; {@code DemoRun} is the order of the runs; {@code DemoReport} is what came out. The benchmark of the same queries uses
 * them too.
 */
@NullMarked
package io.eyrie.benchmarks.demo;

import org.jspecify.annotations.NullMarked;
