// SPDX-License-Identifier: Apache-2.0
/** Fakes of Presto's interfaces. */
@NullMarked
package io.eyrie.presto.proxy;

import org.jspecify.annotations.NullMarked;
