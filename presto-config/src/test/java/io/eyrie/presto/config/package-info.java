// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.presto.config;

import org.jspecify.annotations.NullMarked;
