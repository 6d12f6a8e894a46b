// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.cache.handle;

import org.jspecify.annotations.NullMarked;
