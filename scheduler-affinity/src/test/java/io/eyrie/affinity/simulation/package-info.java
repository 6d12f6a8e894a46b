// SPDX-License-Identifier: Apache-2.0
/** Simulates placement: balance, movement, cost and a day of autoscaling, for Eyrie's and for any other {@link io.eyrie.affinity.simulation.PlacementStrategy}. */
@NullMarked
package io.eyrie.affinity.simulation;

import org.jspecify.annotations.NullMarked;
