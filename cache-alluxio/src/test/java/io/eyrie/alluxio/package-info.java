// SPDX-License-Identifier: Apache-2.0
/** Tests Alluxio's client behind the page cache interface: the contract, and the behavior specific to this cache. */
@NullMarked
package io.eyrie.alluxio;

import org.jspecify.annotations.NullMarked;
