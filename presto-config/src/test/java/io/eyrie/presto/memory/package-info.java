// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.presto.memory;

import org.jspecify.annotations.NullMarked;
