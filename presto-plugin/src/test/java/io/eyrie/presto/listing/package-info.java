// SPDX-License-Identifier: Apache-2.0
/** Tests listing many partitions with one request. */
@NullMarked
package io.eyrie.presto.listing;

import org.jspecify.annotations.NullMarked;
