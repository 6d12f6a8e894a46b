// SPDX-License-Identifier: Apache-2.0
/** A stand-in for the engine, which is not on the tests' class path. */
@NullMarked
package com.facebook.presto.split;

import org.jspecify.annotations.NullMarked;
