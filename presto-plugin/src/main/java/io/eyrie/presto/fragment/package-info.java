/**
 * Fragment results in Presto: leaves of plans are taken out of the engine's hands on the coordinator and run, or served, by the page source on the worker.
 *
 * <p>Invariants: every Hive layout of a plan is a {@link io.eyrie.presto.fragment.FragmentLayoutHandle}, as that is the class that the resolver names. A leaf that
 * anything is held against stays as Presto made it.
 */
@NullMarked
package io.eyrie.presto.fragment;

import org.jspecify.annotations.NullMarked;
