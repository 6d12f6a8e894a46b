// SPDX-License-Identifier: Apache-2.0
/** Proxies of Presto's interfaces with a method or two of Eyrie's. */
@NullMarked
package io.eyrie.presto.proxy;

import org.jspecify.annotations.NullMarked;
