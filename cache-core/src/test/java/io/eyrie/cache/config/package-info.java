// SPDX-License-Identifier: Apache-2.0
/** Tests of the settings. */
@NullMarked
package io.eyrie.cache.config;

import org.jspecify.annotations.NullMarked;
