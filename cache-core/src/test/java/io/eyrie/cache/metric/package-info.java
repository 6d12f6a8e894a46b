// SPDX-License-Identifier: Apache-2.0
/** Tests of metrics. */
@NullMarked
package io.eyrie.cache.metric;

import org.jspecify.annotations.NullMarked;
