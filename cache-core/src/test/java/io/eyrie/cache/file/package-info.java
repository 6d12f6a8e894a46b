// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.cache.file;

import org.jspecify.annotations.NullMarked;
