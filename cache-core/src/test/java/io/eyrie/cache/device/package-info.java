// SPDX-License-Identifier: Apache-2.0
/** Tests of devices, their contract, and an in-memory disk with faults. */
@NullMarked
package io.eyrie.cache.device;

import org.jspecify.annotations.NullMarked;
