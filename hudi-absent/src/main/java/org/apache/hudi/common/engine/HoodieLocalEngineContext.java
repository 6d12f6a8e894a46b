// SPDX-License-Identifier: Apache-2.0
package org.apache.hudi.common.engine;

/** Loaded with the class that lists Hudi tables, whose first call is refused. */
public final class HoodieLocalEngineContext
        extends HoodieEngineContext
{
    private HoodieLocalEngineContext()
    {}
}
