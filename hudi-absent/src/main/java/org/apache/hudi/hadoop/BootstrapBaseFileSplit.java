// SPDX-License-Identifier: Apache-2.0
package org.apache.hudi.hadoop;

/** No split is one. */
public final class BootstrapBaseFileSplit
{
    private BootstrapBaseFileSplit()
    {}
}
