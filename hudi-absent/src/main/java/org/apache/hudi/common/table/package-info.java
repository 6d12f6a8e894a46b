// SPDX-License-Identifier: Apache-2.0
/** Stands in for the package of Hudi of this name, see this module's README. */
@NullMarked
package org.apache.hudi.common.table;

import org.jspecify.annotations.NullMarked;
